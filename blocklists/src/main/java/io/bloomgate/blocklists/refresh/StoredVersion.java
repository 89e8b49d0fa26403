package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.format.FeedContent;

/** A version and its octets, which were found whole. Immutable. */
record StoredVersion(FeedVersion version, FeedContent content) {}
