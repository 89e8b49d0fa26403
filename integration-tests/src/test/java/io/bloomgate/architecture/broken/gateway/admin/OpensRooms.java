package io.bloomgate.architecture.broken.gateway.admin;

import io.bloomgate.architecture.broken.blocklists.generation.BuildsAnyKind;

/** Breaks: the gateway uses blocklists through its door. */
public record OpensRooms(BuildsAnyKind store) {}
