/**
 * Lists of clients and senders of other mail software, turned into operator entries; what has no
 * equivalent is named and never guessed.
 *
 * <p>Pure; called by the command line on the thread of the command.
 */
@NullMarked
package io.bloomgate.blocklists.operator.migration;

import org.jspecify.annotations.NullMarked;
