package io.bloomgate.architecture.broken.gateway.session;

import io.bloomgate.architecture.broken.cli.OpensSessions;
import io.bloomgate.architecture.broken.gateway.smtp.ReachesOutside;

/** Breaks: the gateway knows no command line; no package cycle. */
public record StartsCli(OpensSessions cli, ReachesOutside smtp) {}
