package io.bloomgate.blocklists.generation;

/**
 * One feed as a build takes it.
 *
 * @param name of the feed, unique in a build; the order of the inputs is the feed order of answers
 * @param version which stored version of the feed the entries are of, as {@code feeds show} names
 *     it
 * @param entries what goes live
 */
public record FeedInput(String name, String version, EntrySource entries) {}
