package io.bloomgate.architecture.broken.gateway.session;

import io.bloomgate.architecture.broken.gateway.smtp.ReachesOutside;

/** Breaks: no package cycle. */
public record AsksBack(ReachesOutside smtp) {}
