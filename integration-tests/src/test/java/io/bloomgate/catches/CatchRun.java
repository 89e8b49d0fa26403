package io.bloomgate.catches;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.catches.Copies.Copy;
import io.bloomgate.catches.Copies.Kind;
import io.bloomgate.catches.Trial.Tally;
import io.bloomgate.config.catalogue.FirstSettings;
import io.bloomgate.config.catalogue.Profile;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.testkit.SampleStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Measures each profile of {@code init} on copies of real lists, and prints tables in Markdown. Run
 * by {@code integration-tests/bench/catch.sh} with the table of the copies and their folder; asked
 * by a test for single figures. One thread.
 */
public final class CatchRun {

  /** Lists of a month that have a trap list beside them, which decide the bars. */
  private static final String ALL = "all copies";

  private static final int MOST_THAT_AGREE = 4;

  private final Copies copies;
  private final GoodSenders good;
  private final Path folder;
  private final int step;
  private final Map<String, Trial> trials = new HashMap<>();
  private final Map<Copy, List<Facts>> clients = new HashMap<>();

  /**
   * A run.
   *
   * @param feeds folder of the copies
   * @param folder an existing one for files
   * @param step asks about one of this number of addresses of a trap list, 1 for all
   */
  CatchRun(Path table, Path feeds, Path folder, int step) throws IOException {
    this.copies = Copies.of(table, feeds);
    this.good = new GoodSenders(copies);
    this.folder = folder;
    this.step = step;
  }

  /**
   * One line of the measurement.
   *
   * @param set the month whose copies were used, or {@link #ALL}
   * @param truth the trap list that was held out
   */
  record Row(String set, String profile, String truth, Tally tally) {}

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    CatchRun run =
        new CatchRun(Path.of(args[0]), Path.of(args[1]), Files.createTempDirectory("catch"), 1);
    System.out.println("### Traps\n");
    System.out.println(
        "| copies of | held out | profile | refused | put off | tagged | refused, /24 | put off,"
            + " /24 |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
    List<Row> traps = new ArrayList<>();
    for (String month : run.months()) {
      traps.addAll(run.traps(month));
    }
    traps.addAll(run.trapsOfAll());
    for (Row row : traps) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %s, %,d | %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |%n",
          row.set(),
          row.truth(),
          row.tally().clients(),
          row.profile(),
          row.tally().percent(row.tally().of("reject")),
          row.tally().percent(row.tally().caught() - row.tally().of("reject")),
          row.tally().percent(row.tally().of("tag")),
          row.tally().percentOfNetworks(Set.of("reject")),
          row.tally().percentOfNetworks(Set.of("greylist", "tempfail")));
    }
    System.out.printf(Locale.ROOT, "%n### Good senders: %,d addresses%n%n", run.good.addresses());
    System.out.println("| asked | profile | refused | put off | tagged |");
    System.out.println("| --- | --- | --- | --- | --- |");
    for (Row row : run.goodSenders()) {
      System.out.printf(
          Locale.ROOT,
          "| %s, %,d | %s | %d | %d | %d |%n",
          row.truth(),
          row.tally().clients(),
          row.profile(),
          row.tally().of("reject"),
          row.tally().caught() - row.tally().of("reject"),
          row.tally().of("tag"));
    }
    System.out.println("\n### How many weak lists of balanced must agree\n");
    System.out.println("| N | held out | refused | good addresses refused |");
    System.out.println("| --- | --- | --- | --- |");
    run.agreeing().forEach(System.out::println);
  }

  /** The settings that {@code init} writes for a profile, without DNS. */
  static Settings settings(Profile profile) {
    return SampleStatus.settings(text(profile));
  }

  private static String text(Profile profile) {
    try {
      return FirstSettings.of("192.0.2.25:25", List.of("example.com")).text(profile, null, null);
    } catch (BadValueException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Months that have a trap list. */
  Set<String> months() {
    return copies.of(Kind.TRAP).stream()
        .map(Copy::month)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What each profile does with each trap list of a month, by the copies of that month alone. */
  List<Row> traps(String month) throws IOException, SnapshotBuildException {
    Map<String, Copy> feeds = copies.feedsOf(month);
    return traps(
        month, feeds, feeds.values().stream().filter(copy -> copy.kind() == Kind.TRAP).toList());
  }

  /** The same with the newest copy of each list, whose days differ by weeks. */
  List<Row> trapsOfAll() throws IOException, SnapshotBuildException {
    return traps(ALL, copies.newestFeeds(), copies.of(Kind.TRAP));
  }

  private List<Row> traps(String set, Map<String, Copy> feeds, List<Copy> truths)
      throws IOException, SnapshotBuildException {
    Trial trial = trial(set, feeds);
    List<Row> rows = new ArrayList<>();
    for (Copy truth : truths) {
      List<Facts> clients = clients(truth);
      Set<String> out = trial.without(truth.name());
      for (Profile profile : Profile.values()) {
        Settings settings = settings(profile);
        rows.add(new Row(set, profile.key(), truth.name(), trial.decide(settings, out, clients)));
      }
    }
    return rows;
  }

  private Trial trial(String set, Map<String, Copy> feeds)
      throws IOException, SnapshotBuildException {
    Trial known = trials.get(set);
    if (known == null) {
      Path lists = Files.createDirectories(folder.resolve(set.replace(' ', '-')));
      known = new Trial(feeds, settings(Profile.STRICT), lists);
      trials.put(set, known);
    }
    return known;
  }

  private List<Facts> clients(Copy truth) throws IOException {
    List<Facts> known = clients.get(truth);
    if (known == null) {
      known = Trial.clients(truth, step);
      clients.put(truth, known);
    }
    return known;
  }

  /** What each profile does with good senders, with all copies together. */
  List<Row> goodSenders() throws IOException, SnapshotBuildException {
    Map<String, Copy> feeds = copies.newestFeeds();
    Trial trial = trial(ALL, feeds);
    List<Facts> clients = good.listedClients(feeds.values());
    List<Facts> senders = good.senders();
    List<Row> rows = new ArrayList<>();
    for (Profile profile : Profile.values()) {
      Settings settings = settings(profile);
      String word = profile.key();
      rows.add(
          new Row(
              ALL, word, "addresses that a list names", trial.decide(settings, Set.of(), clients)));
      rows.add(new Row(ALL, word, "names", trial.decide(settings, Set.of(), senders)));
    }
    return rows;
  }

  /** What the rule that refuses would do if it needed another number of lists. */
  private List<String> agreeing() throws IOException, SnapshotBuildException {
    Map<String, Copy> feeds = copies.newestFeeds();
    Trial trial = trial(ALL, feeds);
    List<Facts> clients = good.listedClients(feeds.values());
    List<String> rows = new ArrayList<>();
    for (int needed = 1; needed <= MOST_THAT_AGREE; needed++) {
      Settings settings =
          SampleStatus.settings(
              text(Profile.BALANCED).replaceFirst("(?m)^    any: \\d", "    any: " + needed));
      int hit = trial.decide(settings, Set.of(), clients).of("reject");
      for (Copy truth : copies.of(Kind.TRAP)) {
        Tally tally = trial.decide(settings, trial.without(truth.name()), clients(truth));
        rows.add(
            "| %d | %s | %.1f %% | %d |"
                .formatted(needed, truth.name(), tally.percent(tally.of("reject")), hit));
      }
    }
    return rows;
  }
}
