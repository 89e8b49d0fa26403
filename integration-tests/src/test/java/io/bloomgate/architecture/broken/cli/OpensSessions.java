package io.bloomgate.architecture.broken.cli;

import io.bloomgate.architecture.broken.gateway.session.StartsCli;
import org.jspecify.annotations.Nullable;

/** Breaks: the CLI knows no gateway; the package has no package-info. */
public record OpensSessions(@Nullable StartsCli session) {}
