/**
 * What the lists held at any time of the last days: the change of every generation, kept as the
 * entries that came and went.
 *
 * <p>{@link io.bloomgate.blocklists.history.FeedHistory} writes on the feed-refresher thread, after
 * a generation went live; {@link io.bloomgate.blocklists.history.PastSnapshot} reads on the thread
 * of a command.
 */
@NullMarked
package io.bloomgate.blocklists.history;

import org.jspecify.annotations.NullMarked;
