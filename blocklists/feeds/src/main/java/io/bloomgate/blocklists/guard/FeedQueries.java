package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SubjectListings;
import io.bloomgate.blocklists.guard.FeedReport.Answer;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Questions to lists that are built to be asked: of {@code feeds test} and {@code feeds diff}. On
 * the thread of the command line.
 */
public final class FeedQueries {

  private static final String FROM = "from";
  private static final String TO = "to";

  private FeedQueries() {}

  /**
   * Builds lists and asks them; nothing is left of them.
   *
   * @param temporary an existing directory
   * @throws IOException when the directory cannot be written, a list cannot be read, or the heap
   *     has no room for it
   */
  static <T> T ask(
      List<FeedInput> lists,
      Path temporary,
      InstantSource clock,
      SnapshotBuilder.Question<T> question)
      throws IOException {
    Path directory = Files.createTempDirectory(temporary, "asked");
    try {
      return new SnapshotBuilder(KeyHash.keying(0, 0)).aside(directory, clock, lists, question);
    } catch (SnapshotBuildException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * The answers of the second side for subjects that the first does not list.
   *
   * @param temporary an existing directory
   * @throws IOException as {@link #ask}
   */
  public static List<Answer> newlyListed(
      GuardedText from, GuardedText to, List<String> subjects, Path temporary, InstantSource clock)
      throws IOException {
    if (subjects.isEmpty()) {
      return List.of();
    }
    List<FeedInput> sides = List.of(input(FROM, from), input(TO, to));
    return ask(
        sides,
        temporary,
        clock,
        lists ->
            subjects.stream()
                .filter(subject -> !answer(lists, FROM, subject).listed())
                .map(subject -> answer(lists, TO, subject))
                .filter(Answer::listed)
                .toList());
  }

  private static FeedInput input(String name, GuardedText side) {
    return new FeedInput(name, "1", entries -> side.entries(entries::accept));
  }

  /** The narrowest entry of a feed that lists all of a subject. */
  static Answer answer(ListSnapshot lists, String feed, String text) {
    Optional<Subject> subject = Subject.parse(text.strip()).toOptional();
    List<ListEntry> found = new ArrayList<>();
    subject.ifPresent(asked ->
        SubjectListings.forEach(
            lists,
            asked,
            listing -> {
              if (listing.feed().equals(feed) && listsAll(listing.entry(), asked)) {
                found.add(listing.entry());
              }
            }));
    return found.stream()
        .max(Comparator.comparingInt(entry -> entry.subject().narrowness()))
        .map(best -> new Answer(text, true, best.text(), best.line()))
        .orElseGet(() -> new Answer(text, false, null, null));
  }

  /** Lists are not asked about the address literal of a sender. */
  private static boolean listsAll(ListEntry entry, Subject asked) {
    return !(entry instanceof ListEntry.Network network)
        || (asked instanceof IpPrefix range
            && network.prefix().length() <= range.length()
            && network.prefix().contains(range.network()));
  }
}
