package io.bloomgate.gateway.smtp;

/**
 * The argument of RCPT TO (RFC 5321 section 4.1.1.3): relayed as it came. Immutable.
 *
 * @param text what stands between the angle brackets
 * @param localPart lower-case, without needless quotes
 * @param domain lower-case A-labels; empty for the bare {@code postmaster}
 */
public record ForwardPath(String text, String localPart, String domain) {}
