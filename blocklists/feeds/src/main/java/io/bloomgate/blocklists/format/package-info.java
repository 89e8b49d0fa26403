/**
 * The way from octets to entries: the format is found, then one parser per format reads line by
 * line.
 *
 * <p>{@link io.bloomgate.blocklists.format.FeedContent} is the way in, {@link
 * io.bloomgate.blocklists.format.FeedSink} takes the entries. Pure but for reading the file; called
 * by the feed-refresher thread and by the command line offline.
 */
@NullMarked
package io.bloomgate.blocklists.format;

import org.jspecify.annotations.NullMarked;
