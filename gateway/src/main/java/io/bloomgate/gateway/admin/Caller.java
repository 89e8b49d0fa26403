package io.bloomgate.gateway.admin;

/**
 * Who is at the other end of a control connection, as the kernel says (SO_PEERCRED), for the audit.
 * Immutable.
 *
 * @param user Unix user name, or its number when it has no name
 */
public record Caller(String user) {}
