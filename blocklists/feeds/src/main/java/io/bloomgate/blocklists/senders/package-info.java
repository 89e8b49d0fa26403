/**
 * The senders whose mail was accepted here, and the breaker that asks about them: what is new in a
 * version of a feed is held back when it would refuse senders who have been good for days (promise
 * P5).
 *
 * <p>Known senders have another file: up to a million hosts change with each mail and are written
 * whole every two minutes. The breaker's few rows are in {@code FeedStates}.
 *
 * <p>The gateway writes beside the reply path; the feed-refresher thread and {@code feeds diff}
 * ask.
 */
@NullMarked
package io.bloomgate.blocklists.senders;

import org.jspecify.annotations.NullMarked;
