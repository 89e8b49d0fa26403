package io.bloomgate.architecture.broken.blocklists.generation;

import io.bloomgate.architecture.broken.blocklists.filter.kinds.CuckooFilter;

/** Breaks: the mail path knows no workbench. */
public record BuildsAnyKind(CuckooFilter filter) {}
