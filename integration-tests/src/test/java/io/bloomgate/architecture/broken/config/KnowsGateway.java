package io.bloomgate.architecture.broken.config;

import io.bloomgate.architecture.broken.gateway.smtp.ReachesOutside;

/** Breaks: config stands alone. */
public record KnowsGateway(ReachesOutside gateway) {}
