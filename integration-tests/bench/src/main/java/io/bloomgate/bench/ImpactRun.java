package io.bloomgate.bench;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.impact.Change;
import io.bloomgate.blocklists.impact.Impact;
import io.bloomgate.blocklists.impact.ImpactReport;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.blocklists.impact.Side;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The impact on synthetic sessions, of which one in twenty is on a live list. Arguments: sessions,
 * entries of the live lists. Run by {@code impact.sh}; each question is asked once, so the first
 * one is that of a cold JVM.
 */
public final class ImpactRun {

  private static final double RATE = 0.001;
  private static final long FILTER_OCTETS = 256 << 20;
  private static final int LISTED_OF = 20;

  /** Senders that come again and again. */
  private static final int SENDERS = 100_000;

  private final int sessions;
  private final SnapshotEntries entries;
  private final Instant now = InstantSource.system().instant();

  private ImpactRun(int sessions, int entries) {
    this.sessions = sessions;
    this.entries = new SnapshotEntries(entries / 2);
  }

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    Path folder = Scratch.folder();
    try {
      new ImpactRun(Integer.parseInt(args[0]), Integer.parseInt(args[1])).run(folder);
    } finally {
      Scratch.remove(folder);
    }
  }

  private void run(Path folder) throws Exception {
    Side before = side(snapshot(folder.resolve("live"), entries.feeds()));
    SnapshotEntries few = new SnapshotEntries(entries.each() / 20);
    ListSnapshot tried =
        snapshot(folder.resolve("tried"), List.of(new FeedInput("candidate", "1", few::ips)));
    Map<String, Policy.FeedRule> rules = new HashMap<>(before.policy().feeds());
    rules.put("candidate", rule(2, Action.REJECT));
    Side alone = new Side(before.lists().pinnedTo(tried), before.policy().withFeeds(rules));
    make();
    ask("candidate", new Change(before, alone, Set.of("candidate"), tried, true));
    ask("enforce", Change.enforcing(before));
    Side observe = before.withAction("names", Action.OBSERVE).orElseThrow();
    ask("feed", Change.of("names", observe, before));
  }

  /** What the sessions cost that are decided on: part of every other figure. */
  private void make() throws Exception {
    double worked = cpuSeconds();
    int[] made = {0};
    forEach(session -> made[0] += session.times());
    Figures.add("impact/of-it-making-sessions-cpu-s", cpuSeconds() - worked);
    if (made[0] != sessions) {
      throw new IllegalStateException(made[0] + " sessions");
    }
  }

  private void ask(String what, Change change) throws Exception {
    double worked = cpuSeconds();
    long start = System.nanoTime();
    ImpactReport report = Impact.of(change, this::forEach, now);
    double seconds = (System.nanoTime() - start) / 1e9;
    Figures.add("impact/" + what + "-s", seconds);
    Figures.add("impact/" + what + "-cpu-s", cpuSeconds() - worked);
    System.out.println(
        "  "
            + report.sessions()
            + " sessions, hits "
            + report.hits().sessions()
            + ", new "
            + report.fresh().sum().sessions());
  }

  private static double cpuSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  private void forEach(Consumer<? super PastSession> consumer) {
    for (int i = 0; i < sessions; i++) {
      int sender = SnapshotEntries.bits(i) % SENDERS;
      boolean listed = i % LISTED_OF == 0;
      IpAddress client =
          listed
              ? SnapshotEntries.host(sender % entries.each() / 10 * 10)
              : IpAddress.ofV4(SnapshotEntries.bits(sender) | 1 << 31);
      DomainName domain = SnapshotEntries.name(entries.each() + sender);
      Facts facts =
          Facts.ofClient(client)
              .withHelo(domain)
              .withSender(new MailAddress("u" + i % 7, new MailAddress.Host.Name(domain)));
      consumer.accept(
          new PastSession(
              now.minusSeconds(i % 604_800),
              "",
              facts,
              Set.of(),
              listed ? Outcome.REFUSED : Outcome.ACCEPTED,
              listed,
              List.of(),
              false,
              1));
    }
  }

  private static ListSnapshot snapshot(Path folder, List<FeedInput> feeds) throws Exception {
    try (SnapshotStore store =
        SnapshotStore.open(
            folder,
            new SnapshotBuilder(new SecureRandom()),
            InstantSource.system(),
            alarm -> {
              throw new IllegalStateException(alarm);
            })) {
      return store.build(feeds, new BuildOptions(RATE, FILTER_OCTETS, 1));
    }
  }

  private static Side side(ListSnapshot snapshot) {
    Policy policy =
        new Policy(
            Map.of("ips", rule(0, Action.REJECT), "names", rule(1, Action.REJECT)),
            List.of(),
            Signs.NONE,
            RecipientProfile.exempt(List.of("postmaster")),
            List.of(),
            List.of(),
            Settings.Policy.OnError.ACCEPT,
            List.of());
    return new Side(new Lists(snapshot, OperatorView.EMPTY, Map.of()), policy);
  }

  private static Policy.FeedRule rule(int order, Action action) {
    return new Policy.FeedRule(order, EnumSet.copyOf(Check.WITHOUT_LOOK_UP), action, null, null);
  }
}
