/**
 * The way from a feed's address to octets on disk: HTTP, files, secrets, redirects, mirrors, parts.
 *
 * <p>{@link io.bloomgate.blocklists.fetch.FeedSources} is the way in. One GET over HTTP/1.1 is made
 * by Apache HttpClient, which only this package sees; the caller may hand over the addresses that
 * were checked, so that a second look-up cannot lead elsewhere.
 *
 * <p>Called by the feed-refresher thread on short-lived fetch threads, and by the command line
 * offline.
 */
@NullMarked
package io.bloomgate.blocklists.fetch;

import org.jspecify.annotations.NullMarked;
