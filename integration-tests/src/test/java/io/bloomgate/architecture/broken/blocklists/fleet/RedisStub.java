package io.bloomgate.architecture.broken.blocklists.fleet;

/** Breaks nothing: a connection of the fleet. */
public record RedisStub(String address) {}
