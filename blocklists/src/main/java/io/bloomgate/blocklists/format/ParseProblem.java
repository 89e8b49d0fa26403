package io.bloomgate.blocklists.format;

/**
 * A line of a feed that is no entry. Immutable.
 *
 * @param line counts from 1 in the decompressed text
 * @param reason a short English phrase without any of the text
 * @param text the beginning of what stands there, printable ASCII, everything else escaped
 */
public record ParseProblem(int line, String reason, String text) {}
