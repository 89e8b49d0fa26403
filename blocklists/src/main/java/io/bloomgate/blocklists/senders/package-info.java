/**
 * Who has sent mail here that was accepted: the gateway writes it beside the reply path, the
 * breaker and {@code feeds diff} ask it. Knows nothing of feeds.
 */
@NullMarked
package io.bloomgate.blocklists.senders;

import org.jspecify.annotations.NullMarked;
