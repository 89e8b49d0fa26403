package io.bloomgate.architecture.broken.cli;

import io.bloomgate.architecture.broken.blocklists.generation.BuildsAnyKind;
import io.bloomgate.architecture.broken.gateway.session.StartsCli;
import org.jspecify.annotations.Nullable;

/** Breaks: the CLI knows no gateway, and only the door of blocklists; there is no package-info. */
public record OpensSessions(@Nullable StartsCli session, @Nullable BuildsAnyKind store) {}
