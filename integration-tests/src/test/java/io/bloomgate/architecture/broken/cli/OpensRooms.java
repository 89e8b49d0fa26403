package io.bloomgate.architecture.broken.cli;

import io.bloomgate.architecture.broken.blocklists.generation.KeepsTables;
import org.jspecify.annotations.Nullable;

/** Breaks: the CLI uses blocklists through its door; there is no package-info. */
public record OpensRooms(@Nullable KeepsTables store) {}
