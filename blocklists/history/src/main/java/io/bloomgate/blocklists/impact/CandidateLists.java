package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.guard.DigestedVersion;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings.Feeds.Guard;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Lists that are tried, built beside the live generation into a temporary directory: fetched, read
 * and guarded as feeds of the settings are, but compared with no version before. Made and closed by
 * a command, on its thread.
 */
public final class CandidateLists implements AutoCloseable {

  private final Path directory;
  private final ListSnapshot snapshot;
  private final List<Candidate> lists;
  private final List<String> notes;

  /** No candidate can be used. */
  public static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }
  }

  /**
   * The tools and rules for reading a candidate.
   *
   * @param guard of lists that no catalogue names
   * @param random for the seed of the filters
   * @param temporary an existing directory
   */
  public record Means(
      FeedSources sources,
      Guard guard,
      List<ProtectedSet> protectedSets,
      RandomGenerator random,
      InstantSource clock,
      Path temporary) {}

  private CandidateLists(
      Path directory, ListSnapshot snapshot, List<Candidate> lists, List<String> notes) {
    this.directory = directory;
    this.snapshot = snapshot;
    this.lists = lists;
    this.notes = notes;
  }

  /**
   * Fetches and builds. A candidate that cannot be used is left out with a note, unless none is
   * left.
   *
   * @throws UnusableException when no candidate can be used; the message says why
   * @throws IOException when the temporary directory cannot be written
   */
  public static CandidateLists build(List<Candidate> wanted, Means means)
      throws IOException, UnusableException {
    Path directory = Files.createTempDirectory(means.temporary(), "candidate");
    boolean built = false;
    try {
      Build build = new Build(directory, means);
      CandidateLists lists = build.all(wanted);
      built = true;
      return lists;
    } finally {
      if (!built) {
        DurableFiles.deleteTree(directory);
      }
    }
  }

  /** The lists that could be used, in the order in which they were named. */
  public List<Candidate> lists() {
    return lists;
  }

  /** The snapshot of these lists. */
  ListSnapshot snapshot() {
    return snapshot;
  }

  /** Distinct entries of all of them. */
  public long entries() {
    return snapshot.manifest().entries();
  }

  /** Sentences for the operator: the findings of the guard, and the lists that are left out. */
  public List<String> notes() {
    return notes;
  }

  @Override
  public void close() throws IOException {
    DurableFiles.deleteTree(directory);
  }

  /** One build. */
  private static final class Build {
    private final Path directory;
    private final Means means;
    private final List<Candidate> usable = new ArrayList<>();
    private final List<FeedInput> inputs = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Build(Path directory, Means means) {
      this.directory = directory;
      this.means = means;
    }

    CandidateLists all(List<Candidate> wanted) throws IOException, UnusableException {
      List<String> failures = new ArrayList<>();
      for (Candidate candidate : wanted) {
        Optional<String> failure = take(candidate);
        failure.ifPresent(why -> failures.add("list " + candidate.name() + ": " + why));
      }
      if (usable.isEmpty()) {
        throw new UnusableException(String.join("; ", failures));
      }
      failures.forEach(failure -> notes.add(failure + "; it is left out"));
      try {
        ListSnapshot snapshot =
            new SnapshotBuilder(means.random())
                .aside(directory.resolve("built"), means.clock(), inputs, built -> built);
        return new CandidateLists(directory, snapshot, usable, notes);
      } catch (SnapshotBuildException e) {
        throw new UnusableException(Faults.words(e));
      }
    }

    /** Fetches and judges one; the result says why it cannot be used. */
    private Optional<String> take(Candidate candidate) throws IOException {
      Path own = Files.createTempDirectory(directory, "list");
      FeedSource from;
      try {
        from = source(candidate);
      } catch (IllegalArgumentException e) {
        return Optional.of("the place is neither a file nor a web address");
      }
      return switch (from.fetch(Validators.NONE, own)) {
        case FetchResult.Fetched fetched -> judge(candidate, fetched.content());
        case FetchResult.Failed failed -> Optional.of(failed.message());
        case FetchResult.NotModified ignored -> Optional.of(from.shown() + " answered 304 unasked");
      };
    }

    private FeedSource source(Candidate candidate) {
      Source source = candidate.source();
      return source == null
          ? means.sources().named(String.valueOf(candidate.place()))
          : means.sources().of(source);
    }

    private Optional<String> judge(Candidate candidate, FeedContent content) throws IOException {
      FeedFormat found;
      if (candidate.format().isEmpty()) {
        found = content.detect();
      } else if (FeedFormat.named(candidate.format())
          instanceof Parsed.Ok<FeedFormat>(FeedFormat known, var ignored)) {
        found = known;
      } else {
        return Optional.of(
            "there is no such format; `bloomgate feeds formats` names those that there are");
      }
      FeedFormat format = found.forChecks(candidate.checks());
      Source source = candidate.source();
      Guard guard = source == null ? means.guard() : source.guard();
      EntryGuard entries =
          new EntryGuard(guard, source != null && source.allowBogons(), means.protectedSets())
              .reading(format);
      NeverAsked neverAsked = new NeverAsked(candidate.checks());
      GuardedText list = new GuardedText(content, format, candidate.match(), entries);
      DigestedVersion version = list.digested(neverAsked);
      if (format.listsUrls() && !candidate.checks().contains(Check.URL)) {
        // Only their hosts were read.
        content.read(format.forChecks(Set.of(Check.URL)), candidate.match(), neverAsked);
      }
      neverAsked.sentences().forEach(sentence -> note(candidate, ": " + sentence));
      FeedGuard.Judgement judgement =
          FeedGuard.judgeFirst(guard, version, content.looksLikeWebPage());
      String reasons = String.join(", ", judgement.reasons());
      switch (judgement.verdict()) {
        case REJECT -> {
          return Optional.of(reasons);
        }
        case HOLD -> note(candidate, " would wait for `feeds accept`: " + reasons);
        case ACCEPT_REST ->
            note(
                candidate,
                ": "
                    + judgement.heldEntries()
                    + " entries are held back, as they would be of a feed");
        case ACCEPT -> {}
      }
      usable.add(candidate);
      inputs.add(new FeedInput(candidate.name(), "1", consumer -> list.live(consumer::accept)));
      return Optional.empty();
    }

    private void note(Candidate candidate, String text) {
      notes.add("list " + candidate.name() + text);
    }
  }
}
