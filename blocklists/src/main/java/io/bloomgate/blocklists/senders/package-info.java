/**
 * Who has sent mail here that was accepted: the gateway writes it beside the reply path, what
 * judges new versions of feeds and {@code feeds diff} ask it. Knows nothing of feeds.
 */
@NullMarked
package io.bloomgate.blocklists.senders;

import org.jspecify.annotations.NullMarked;
