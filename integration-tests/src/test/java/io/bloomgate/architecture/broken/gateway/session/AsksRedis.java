package io.bloomgate.architecture.broken.gateway.session;

import io.bloomgate.architecture.broken.blocklists.fleet.RedisStub;

/** Breaks: the mail path knows no fleet. */
public record AsksRedis(RedisStub redis) {}
