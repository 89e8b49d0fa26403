package io.bloomgate.gateway;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.campaign.SharedCopy;
import io.bloomgate.blocklists.fleet.FleetNode;
import io.bloomgate.blocklists.fleet.RedisException;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.fleet.published.FleetSecret;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.greylist.GreylistSharing;
import io.bloomgate.blocklists.memory.OtherNodes;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.GreylistSettings;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.session.MailLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the counts of this gateway and those of the other nodes of a fleet: asks for theirs, on
 * threads of sessions, sends ours, and adds what it learns to the counters of this gateway. A
 * gateway alone asks and tells nothing. Made while the gateway starts.
 */
final class FleetCounting implements MailLimits.Sharing {

  private static final Logger LOG = LoggerFactory.getLogger(FleetCounting.class);

  private static final String KNOWN = "known";
  private static final String COPY = "copy";
  private static final String SEEN = "seen";
  private static final String FIRST = "first ";
  private static final String AGAIN = "again ";

  /** The time in which the fleet knows which node refused a session. */
  private static final Duration KEEP_IDS = Duration.ofDays(7);

  private final @Nullable SharedCounts shared;
  private final String node;
  private final @Nullable Seeds seeds;

  /** Known senders that were sent to the other nodes lately: large providers send all day long. */
  private final Cache<String, Boolean> given =
      CacheBuilder.newBuilder().expireAfterWrite(Duration.ofDays(1)).maximumSize(20_000).build();

  /** The reason why this gateway counts alone. */
  private final String alone;

  /**
   * Seeds that all nodes have, for hashes of copies.
   *
   * @param likenesses false where entries of this node hold likenesses of another seed
   */
  private record Seeds(long copies, boolean likenesses) {}

  private FleetCounting(
      @Nullable SharedCounts shared, String node, @Nullable Seeds seeds, String alone) {
    this.shared = shared;
    this.node = node;
    this.seeds = seeds;
    this.alone = alone;
  }

  /**
   * Connects to nothing yet.
   *
   * @throws IOException when the secret of the fleet cannot be used
   */
  static FleetCounting of(
      @Nullable FleetSettings fleet, Blocklists blocklists, SharedCounts.Surroundings around)
      throws IOException, OperatorListsException {
    if (fleet == null || !fleet.countsTogether()) {
      String why =
          fleet == null || fleet.redis() == null
              ? "this gateway shares nothing by way of Redis"
              : "fleet.counters is false";
      return new FleetCounting(null, "", null, why);
    }
    return new FleetCounting(
        new SharedCounts(fleet, around), fleet.node(), seeds(fleet, blocklists), "");
  }

  private static @Nullable Seeds seeds(FleetSettings fleet, Blocklists blocklists)
      throws IOException, OperatorListsException {
    if (fleet.secret() == null) {
      return null;
    }
    ByteBuffer seeds =
        ByteBuffer.wrap(FleetSecret.read(fleet.secret()).key("bloomgate count seeds 1"));
    long copies = seeds.getLong();
    boolean likenesses = blocklists.operator().shareLikenessSeed(seeds.getLong());
    if (!likenesses) {
      LOG.warn(
          "fleet: near copies of mails are not counted together with other nodes, because entries"
              + " of this node hold likenesses; remove these entries, and start again");
    }
    return new Seeds(copies, likenesses);
  }

  // ---- what this gateway counts

  /** Seeds of counters of copies: the same one on all nodes. */
  LongSupplier campaignSeeds(LongSupplier ofThisNode) {
    Seeds fleet = seeds;
    return fleet == null ? ofThisNode : fleet::copies;
  }

  /** Shares copies; {@code null} for a gateway that counts them alone. */
  Campaigns.@Nullable Sharing campaigns() {
    SharedCounts fleet = shared;
    return fleet == null || seeds == null
        ? null
        : new Campaigns.Sharing(copy -> fleet.tell(COPY, copy.text()), seeds.likenesses());
  }

  /** Tells a sender of accepted mail, once a day. Called by one thread. */
  void accepted(IpAddress client, String sender) {
    if (shared != null) {
      String known = client + " " + sender;
      if (given.asMap().putIfAbsent(known, true) == null) {
        shared.tell(KNOWN, known);
      }
    }
  }

  /** Tells that this node refused a session of this id. */
  void refused(String id) {
    if (shared != null) {
      shared.put("id:" + id, node, KEEP_IDS);
    }
  }

  /** The node that refused a session of this id; empty when none is known. */
  Optional<String> nodeOf(String id) {
    return shared == null
        ? Optional.empty()
        : shared.value("id:" + id).filter(of -> !of.equals(node));
  }

  @Override
  public Runnable ask(List<MailLimits.Counter> counters) {
    return shared == null || counters.isEmpty()
        ? () -> {}
        : shared.ask(counters.stream().map(FleetCounting::shared).toList());
  }

  @Override
  public void count(List<MailLimits.Counter> counters) {
    if (shared != null) {
      shared.count(counters.stream().map(FleetCounting::shared).toList());
    }
  }

  private static SharedCounts.Counter shared(MailLimits.Counter counter) {
    int burst = counter.rate().burst();
    return new SharedCounts.Counter(
        counter.key(), counter.rate().each().multipliedBy(burst), burst, counter.adder()::add);
  }

  /** Shares rates, where this gateway is a node. */
  void share(MailLimits limits) {
    if (shared != null) {
      limits.shareBy(this);
    }
  }

  /** Shares visits, where this gateway is a node. */
  void share(Greylist greylist) {
    if (shared != null) {
      greylist.shareBy(new Visits(greylist, shared));
    }
  }

  /** Visits of all nodes: the first one of a sender, or that it came again. */
  private record Visits(Greylist greylist, SharedCounts shared) implements GreylistSharing {
    private static String key(GreylistSharing.Sender sender) {
      return "grey:%s %s %s".formatted(sender.network(), sender.domain(), sender.recipient());
    }

    @Override
    public void cameFirst(GreylistSharing.Sender sender, GreylistSettings rules, Instant now) {
      shared.first(
          key(sender),
          FIRST + shared.millis(),
          rules.window(),
          found -> merge(sender, found, rules, now));
    }

    private void merge(
        GreylistSharing.Sender sender, String found, GreylistSettings rules, Instant now) {
      boolean cameAgain = found.startsWith(AGAIN);
      if (cameAgain || found.startsWith(FIRST)) {
        try {
          long ago = shared.millis() - Long.parseLong(found, FIRST.length(), found.length(), 10);
          greylist.merge(sender, cameAgain, rules, now.minusMillis(Math.max(0, ago)));
        } catch (NumberFormatException | ArithmeticException e) {
          LOG.debug("fleet: a visit of another node cannot be read", e);
        }
      }
    }

    @Override
    public void cameAgain(GreylistSharing.Sender sender) {
      shared.put(key(sender), AGAIN + shared.millis(), Greylist.REMEMBERED);
    }
  }

  /** Nodes that remember together; none for a gateway alone. */
  OtherNodes memory(Supplier<@Nullable SharedLists> fleet) {
    return shared == null ? OtherNodes.NONE : new Remembering(shared, node, fleet);
  }

  private static final class Remembering implements OtherNodes {
    private static final Duration LIFE = Duration.ofDays(3);

    /** A flood of mail for a trap must not push other texts out of the stream. */
    private static final int MAX_SIGHTINGS_A_MINUTE = 30;

    private final SharedCounts shared;
    private final String node;
    private final Supplier<@Nullable SharedLists> fleet;
    private long minute;
    private int sightings;

    Remembering(SharedCounts shared, String node, Supplier<@Nullable SharedLists> fleet) {
      this.shared = shared;
      this.node = node;
      this.fleet = fleet;
    }

    @Override
    public Optional<Map<String, Boolean>> connected() {
      SharedLists lists = fleet.get();
      try {
        return lists == null
            ? Optional.empty()
            : Optional.of(
                lists.others().stream()
                    .collect(Collectors.toMap(FleetNode::name, FleetNode::connected)));
      } catch (RedisException e) {
        return Optional.empty();
      }
    }

    @Override
    public synchronized void tell(String text) {
      long now = TimeUnit.MILLISECONDS.toMinutes(shared.millis());
      sightings = now == minute ? sightings + 1 : 1;
      minute = now;
      if (sightings <= MAX_SIGHTINGS_A_MINUTE) {
        shared.tell(SEEN, text);
      }
    }

    @Override
    public void keep(String name, String text) {
      shared.put(key(node, name), text, LIFE);
    }

    @Override
    public Optional<String> kept(String node, String name) {
      return shared.value(key(node, name));
    }

    private static String key(String node, String name) {
      return "memory:" + node + ":" + name;
    }
  }

  // ---- what other nodes tell

  /** Connects, and counts what others tell from then on. */
  void join(Services services, Supplier<Settings> settings, InstantSource clock) {
    if (shared != null) {
      shared.start(
          (kind, text, ago) -> take(kind, text, services, settings.get(), clock.instant(), ago));
    }
  }

  private static boolean take(
      String kind, String text, Services services, Settings settings, Instant now, Duration ago) {
    return switch (kind) {
      case KNOWN -> {
        int space = text.indexOf(' ');
        Optional<IpAddress> client =
            IpAddress.parse(text.substring(0, Math.max(0, space))).toOptional();
        String sender = SenderWatch.kept(text.substring(space + 1), settings.log().privacy());
        client.ifPresent(from -> services.blocklists.accepted(from, sender, "", now.minus(ago)));
        yield client.isPresent();
      }
      case COPY -> {
        Optional<SharedCopy> copy = SharedCopy.parse(text);
        Campaigns campaigns = services.campaigns.current();
        if (campaigns != null) {
          copy.ifPresent(one -> campaigns.merge(one, now.minus(ago), now));
        }
        yield copy.isPresent();
      }
      case SEEN -> services.memory.heard(text, ago);
      default -> false;
    };
  }

  // ---- seen from outside

  /** Returns the figures of this moment. */
  SharedCounts.Figures figures() {
    return shared == null ? SharedCounts.Figures.alone(alone) : shared.figures();
  }

  /** Says why nodes are not counted with though they should be; empty for none. */
  String fault() {
    return shared == null ? "" : shared.figures().problem();
  }

  /** Sends what is left. */
  void close() {
    if (shared != null) {
      shared.close();
    }
  }
}
