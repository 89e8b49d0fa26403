package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.feed.FeedContent;

/** A version and its octets, which were found whole. Immutable. */
record StoredVersion(FeedVersion version, FeedContent content) {}
