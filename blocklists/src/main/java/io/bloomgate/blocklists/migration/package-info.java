/**
 * What other mail software keeps as its own lists of clients and senders, turned into operator
 * entries; what cannot be turned without changing its meaning is named, never guessed.
 *
 * <p>Pure; used by the command line on the thread of the command.
 */
@NullMarked
package io.bloomgate.blocklists.migration;

import org.jspecify.annotations.NullMarked;
