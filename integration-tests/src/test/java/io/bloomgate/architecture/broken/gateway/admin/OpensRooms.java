package io.bloomgate.architecture.broken.gateway.admin;

import io.bloomgate.architecture.broken.blocklists.generation.KeepsTables;

/** Breaks: the gateway uses blocklists through its door. */
public record OpensRooms(KeepsTables store) {}
