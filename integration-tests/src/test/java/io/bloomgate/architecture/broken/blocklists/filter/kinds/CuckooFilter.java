package io.bloomgate.architecture.broken.blocklists.filter.kinds;

/** Breaks nothing: a kind of filter that only commands build. */
public record CuckooFilter(long entries) {}
