/**
 * The way from octets to entries: they are unpacked, counted and bounded while they are read, the
 * format is found, then one parser per format reads line by line.
 *
 * <p>{@link io.bloomgate.blocklists.format.FeedContent} is the way in, {@link
 * io.bloomgate.blocklists.format.FeedSink} takes the entries. Every bound on feeds is in {@link
 * io.bloomgate.blocklists.format.FeedLimits}. The syntax of Postfix's tables is used by the import
 * of tables too. Pure but for reading the file; called by the feed-refresher thread, by fetches and
 * by the command line offline.
 */
@NullMarked
package io.bloomgate.blocklists.format;

import org.jspecify.annotations.NullMarked;
