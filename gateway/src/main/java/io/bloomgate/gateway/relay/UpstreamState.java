package io.bloomgate.gateway.relay;

import java.time.Duration;

/**
 * How the upstream fares, for {@code status}. Immutable.
 *
 * @param up false when the last attempt to reach it failed
 * @param problem why it is down, printable; empty when it is up or was never tried
 * @param identity how it learns the client's address: {@code xclient}, {@code proxy-v1}, {@code
 *     proxy-v2}, {@code xforward} or {@code none}
 * @param connections in use now
 * @param idleConnections kept for further messages
 * @param fullFor how long all of {@code downstream.max_connections} have been in use while clients
 *     had to wait for one; zero when that is not so
 * @param ipv6Problem why clients with IPv6 addresses are not served, printable; empty when they
 *     are, or none came
 */
public record UpstreamState(
    boolean up,
    String problem,
    String identity,
    int connections,
    int idleConnections,
    Duration fullFor,
    String ipv6Problem) {}
