package io.bloomgate.blocklists.guard;

/**
 * An entry that a guard noticed, by name. Immutable.
 *
 * @param entry canonical text
 * @param line of the feed
 * @param reason why it does not count
 */
public record HeldEntry(String entry, int line, String reason) {}
