package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Tries a new version of a feed on mail that was accepted: decides on each session with the live
 * version and with the new one in its place. Called by the feed-refresher before the version may go
 * live.
 */
public final class VersionTrial {

  /** False-positive rate of the filters, a ratio: an exact index answers behind them. */
  private static final double FALSE_POSITIVES = 0.001;

  /** Octets of all filters together. */
  private static final long MAX_MEMORY = 1L << 20;

  private final Side live;
  private final RandomGenerator random;
  private final InstantSource clock;

  /**
   * A trial.
   *
   * @param live the lists and the policy in force
   * @param random for the seed of the filters
   */
  public VersionTrial(Side live, RandomGenerator random, InstantSource clock) {
    this.live = live;
    this.random = random;
    this.clock = clock;
  }

  /**
   * The networks that the new version would newly refuse.
   *
   * @param feed that the version belongs to
   * @param entries all entries of the version that concern the mail
   * @param directory for the lists that are built aside; it must not exist, and the caller deletes
   *     it
   * @throws IOException when these lists cannot be built
   */
  public GoodHits hits(String feed, List<ListEntry> entries, AcceptedMail mail, Path directory)
      throws IOException {
    Instant now = clock.instant();
    try (SnapshotStore store =
        SnapshotStore.open(directory, new SnapshotBuilder(random), clock, alarm -> {})) {
      ListSnapshot version =
          store.build(
              List.of(new FeedInput(feed, "1", entries::forEach)),
              new BuildOptions(FALSE_POSITIVES, MAX_MEMORY, 1));
      Side before = checkedAt(feed, now);
      Lists after =
          before
              .lists()
              .pinnedTo(JoinedSnapshot.replacing(before.lists().snapshot(), feed, version));
      Change change =
          new Change(before, new Side(after, live.policy()), Set.of(feed), version, true);
      return hits(feed, new Impact(change, now), mail);
    } catch (SnapshotBuildException e) {
      throw new IOException("the lists for a trial cannot be built: " + e.getMessage(), e);
    }
  }

  /**
   * The side with both versions checked just now: the age of the live one is no reason to spare it.
   */
  private Side checkedAt(String feed, Instant now) {
    Lists lists = live.lists();
    Map<String, Instant> success = new HashMap<>(lists.lastSuccess());
    success.replace(feed, now);
    return new Side(
        new Lists(lists.snapshot(), lists.operator(), success, lists.known()), live.policy());
  }

  private static GoodHits hits(String feed, Impact impact, AcceptedMail mail) {
    // Of IPv6 by the /32 that every provider gets: one who holds it has any number of smaller
    // networks, and could hold a list up.
    Map<IpAddress, GoodHits.Hit> networks = new LinkedHashMap<>();
    for (PastSession session : mail.sessions()) {
      IpAddress client = session.facts().client();
      IpAddress network = client.isV4() ? ClientNetwork.of(client) : ClientNetwork.wide(client);
      if (!networks.containsKey(network)) {
        impact
            .newlyRefused(session)
            .ifPresent(verdict ->
                networks.put(network, hit(ClientNetwork.site(client), feed, session, verdict)));
      }
    }
    return new GoodHits(networks.size(), networks.values().stream().limit(GoodHits.NAMED).toList());
  }

  /** Makes a hit; where a rule decided, the feed's own listing is what is new. */
  private static GoodHits.Hit hit(
      IpPrefix network, String feed, PastSession session, Verdict verdict) {
    DomainName domain = session.facts().senderDomain();
    String entry =
        verdict.grounds().standing().stream()
            .filter(Ground.Found.class::isInstance)
            .map(Ground.Found.class::cast)
            .filter(ground -> ground.source().equals(feed))
            .map(Ground.Found::entry)
            .findFirst()
            .orElse("a check that failed");
    return new GoodHits.Hit(network, domain == null ? "" : domain.toString(), entry);
  }
}
