package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.PastExplainer;
import io.bloomgate.blocklists.generation.KeptGenerations;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.impact.Change;
import io.bloomgate.blocklists.impact.Side;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.blocklists.refresh.StoredFeeds;
import io.bloomgate.blocklists.score.FeedActions;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lists of a state directory for the command line, with or without a running gateway: opened
 * for reading, nothing is changed. The same decision code answers as in {@link Blocklists}. What
 * only a running gateway knows (a mode set by command, addresses of mail servers by DNS) is
 * missing. For one thread.
 */
public final class OfflineBlocklists implements AutoCloseable {

  static final String SNAPSHOTS = "snapshots";

  private final ListRules rules;
  private final FeedActions actions;
  private final StoredFeeds stored;
  private final Lists lists;
  private final Instant now;

  /** {@code null} where there is no database yet. */
  private final @Nullable OperatorLists operator;

  /** A directory of the lists cannot be read. */
  public static final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Path place;

    UnreadableException(Path place, IOException cause) {
      super(cause.getMessage(), cause);
      this.place = place;
    }

    /** The directory. */
    public Path place() {
      return place;
    }

    /** The reason why it cannot be read. */
    public IOException reason() {
      return getCause() instanceof IOException cause ? cause : this;
    }
  }

  private OfflineBlocklists(
      ListRules rules,
      FeedActions actions,
      StoredFeeds stored,
      ListSnapshot snapshot,
      OperatorView view,
      @Nullable OperatorLists operator,
      Instant now) {
    this.rules = rules;
    this.actions = actions;
    this.stored = stored;
    this.lists = new Lists(snapshot, view, stored.lastSuccess());
    this.operator = operator;
    this.now = now;
  }

  /**
   * Opens the last generation and the operator's lists.
   *
   * @throws OperatorListsException when the operator's lists cannot be read
   * @throws UnreadableException when feeds or generations cannot be read; what is missing is no
   *     failure
   */
  public static OfflineBlocklists open(ListRules rules, InstantSource clock)
      throws OperatorListsException, UnreadableException {
    Settings settings = rules.settings();
    Path file = settings.stateDir().resolve(OperatorLists.FILE_NAME);
    ListFiles files = rules.listFiles(clock);
    OperatorLists operator =
        Files.exists(file) ? OperatorLists.openReadOnly(file, files, clock) : null;
    boolean opened = false;
    try {
      StoredFeeds stored = stored(settings, clock.instant());
      FeedActions actions = new FeedActions(stored.states(), _ -> {});
      OfflineBlocklists lists =
          new OfflineBlocklists(
              rules.with(actions.inForce(settings)),
              actions,
              stored,
              snapshot(settings.stateDir().resolve(SNAPSHOTS)),
              operator == null ? files : operator.view(),
              operator,
              clock.instant());
      opened = true;
      return lists;
    } finally {
      if (!opened && operator != null) {
        operator.close();
      }
    }
  }

  private static StoredFeeds stored(Settings settings, Instant now) throws UnreadableException {
    try {
      return StoredFeeds.read(settings.stateDir(), settings.feeds().names(), now);
    } catch (IOException e) {
      throw new UnreadableException(settings.stateDir(), e);
    }
  }

  static ListSnapshot snapshot(Path directory) throws UnreadableException {
    try {
      return Files.isDirectory(directory)
          ? SnapshotStore.openCurrent(directory)
          : ListSnapshot.EMPTY;
    } catch (IOException e) {
      throw new UnreadableException(directory, e);
    }
  }

  /** The last generation, the operator's entries and the ages of feeds. */
  public Lists lists() {
    return lists;
  }

  /** The policy of the settings without the feeds that are disabled. */
  public Policy policy() {
    return policy(stored.disabled());
  }

  private Policy policy(Set<String> disabled) {
    Policy policy = rules.policy(disabled);
    return operator == null
        ? policy
        : policy.withEntries(operator.view().recipients(), rules.settings().profiles());
  }

  /** Lists and policy, for the impact of a change. */
  public Side side() {
    return new Side(lists, policy());
  }

  /**
   * The change that a list of the settings has this action, and counts where it is disabled now;
   * empty when the settings have no list of that name.
   */
  public Optional<Change> change(String list, Action action) {
    Set<String> disabled = new HashSet<>(stored.disabled());
    disabled.remove(list);
    return new Side(lists, policy(disabled))
        .withAction(list, action)
        .map(after -> Change.of(list, side(), after));
  }

  /** Feeds of the settings of which the last generation has nothing. */
  public List<String> feedsNotLoaded() {
    return rules.settings().feeds().sources().keySet().stream()
        .filter(feed -> lists.snapshot().manifest().feed(feed).isEmpty())
        .toList();
  }

  /** Explains what happens to mail of a subject in the mode of the settings. */
  public Explainer explainer() {
    return new Explainer(
        context(
            lists, keys -> new Explainer.DnsReport(keys.seen().name(), List.of(), unasked(keys))));
  }

  /**
   * Explains what the lists of a time mean for mail of a subject; as {@link
   * Blocklists#explainerAt}.
   */
  public Parsed<PastExplainer> explainerAt(Instant at) throws IOException {
    return KeptGenerations.of(rules.settings().stateDir().resolve(SNAPSHOTS))
        .at(at, lists.snapshot())
        .map(past -> {
          Lists then = new Lists(past.lists(), lists.operator(), Map.of());
          return new PastExplainer(context(then, Explainer.DnsAnswers.NONE), past);
        });
  }

  private Explainer.Context context(Lists asked, Explainer.DnsAnswers dns) {
    Settings settings = rules.settings();
    return new Explainer.Context(
        asked,
        policy(),
        settings.mode(),
        settings.policy().rejectAt(),
        true,
        now,
        new Origins(settings.stateDir(), asked.snapshot().manifest(), actions, problem -> {}),
        dns,
        Explainer.GreylistAnswers.NONE);
  }

  private List<String> unasked(Facts keys) {
    List<String> notes = new ArrayList<>();
    if (!rules.settings().feeds().dnsLists().isEmpty()) {
      notes.add("DNS lists were not asked: only the running gateway asks them");
    }
    boolean wanted = policy().asked().clientName() || lists.operator().needsClientName(now);
    if (wanted && keys.seen().name().equals(ClientName.UNKNOWN)) {
      notes.add("the client's name was not looked up: only the running gateway looks names up");
    }
    if (policy().asked().knownSenders()) {
      notes.add("nobody counts as known here (unless: known): only the running gateway looks");
    }
    return notes;
  }

  /** The rules for entries that a command of the operator would add now. */
  public EntryRules entryRules() {
    return new EntryRules(rules, policy().protectedSets(), lists.operator(), now);
  }

  /** The outcomes that storing the entries of a piece of an import would have. */
  public List<Stored> tryPiece(List<NewEntry> entries) throws OperatorListsException {
    return operator == null ? inNewStore(entries, now) : operator.tryPiece(entries);
  }

  /** The same where nothing is stored yet. */
  public static List<Stored> inNewStore(List<NewEntry> entries, Instant now) {
    return entries.stream()
        .map(entry ->
            new Stored(entry.entry("", "", now), OperatorLists.Change.ADDED, Optional.empty()))
        .toList();
  }

  /** Sentences for the operator about what is damaged, and what is unknown because of that. */
  public List<String> problems() {
    return stored.problems();
  }

  @Override
  public void close() throws OperatorListsException {
    if (operator != null) {
      operator.close();
    }
  }

  /**
   * Finds where a listing of one generation comes from. An origin that cannot be read leaves the
   * answer without it. Used on the thread of a command.
   *
   * @param stateDir nothing is changed there
   * @param actions what moved the actions of feeds
   * @param problem receives a sentence when an origin cannot be read
   */
  record Origins(
      Path stateDir, SnapshotManifest manifest, FeedActions actions, Consumer<String> problem)
      implements Explanation.Origins {

    @Override
    public Optional<FeedPromotion> promotion(String list) {
      return actions.promotion(list);
    }

    @Override
    public @Nullable ListingOrigin of(Ground.Listed listed) {
      try {
        return ListingOrigin.of(stateDir, manifest, listed.listing()).orElse(null);
      } catch (IOException e) {
        problem.accept(
            "the versions of feed " + listed.source() + " cannot be read: " + Faults.words(e));
        return null;
      }
    }
  }
}
