package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.counts.CountKeys;
import io.bloomgate.blocklists.fleet.counts.Counted;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.session.MailLimits;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Between what this gateway counts and what the other nodes of a fleet count: gives away each count
 * of this gateway, on threads of sessions, and has the counts of others counted here, on a thread
 * of the fleet, by the same methods. A gateway alone gives nothing away. Made while the gateway
 * starts.
 */
final class FleetCounting implements MailLimits.Sharing {

  private static final Logger LOG = LoggerFactory.getLogger(FleetCounting.class);

  private final @Nullable SharedCounts shared;
  private final @Nullable CountKeys keys;
  private final boolean likenesses;
  private final GivenSenders given = new GivenSenders();

  /** Why this gateway counts alone. */
  private final String alone;

  private FleetCounting(
      @Nullable SharedCounts shared, @Nullable CountKeys keys, boolean likenesses, String alone) {
    this.shared = shared;
    this.keys = keys;
    this.likenesses = likenesses;
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
      return new FleetCounting(null, null, false, whyAlone(fleet));
    }
    CountKeys keys = CountKeys.of(Objects.requireNonNull(fleet.secret()));
    boolean likenesses = blocklists.operator().shareLikenessSeed(keys.likenesses());
    if (!likenesses) {
      LOG.warn(
          "fleet: near copies of mails are not counted together with other nodes, because entries"
              + " of this node hold likenesses; remove these entries, and start again");
    }
    return new FleetCounting(new SharedCounts(fleet, keys, around), keys, likenesses, "");
  }

  private static String whyAlone(@Nullable FleetSettings fleet) {
    if (fleet == null || fleet.redis() == null) {
      return "this gateway shares nothing by way of Redis";
    }
    return fleet.counters()
        ? "fleet.secret_file is not set, and counts are about people, so they travel sealed"
        : "fleet.counters is false";
  }

  // ---- what this gateway counts

  /** Seeds of counters of copies: the same one on all nodes. */
  LongSupplier campaignSeeds(LongSupplier alone) {
    CountKeys fleet = keys;
    return fleet == null ? alone : fleet::copies;
  }

  /** How copies are given away; {@code null} for a gateway alone. */
  Campaigns.@Nullable Sharing campaigns() {
    SharedCounts fleet = shared;
    return fleet == null
        ? null
        : new Campaigns.Sharing(copy -> fleet.add(new Counted.Copied(copy)), likenesses);
  }

  /** Gives visits away, where this gateway is a node. */
  void share(Greylist greylist) {
    SharedCounts fleet = shared;
    if (fleet != null) {
      greylist.shareBy((sender, cameAgain) -> fleet.add(new Counted.Greylisted(sender, cameAgain)));
    }
  }

  /** Gives a sender of accepted mail away. Called by one thread. */
  void accepted(IpAddress client, String sender, long nanos) {
    Counted.Accepted accepted = new Counted.Accepted(client, sender);
    if (shared != null && given.isDue(accepted, nanos)) {
      shared.add(accepted);
    }
  }

  @Override
  public void mail(IpAddress account) {
    if (shared != null) {
      shared.add(new Counted.Mail(account));
    }
  }

  @Override
  public void recipient(IpAddress network, @Nullable DomainName domain, String recipient) {
    if (shared != null) {
      shared.add(new Counted.Recipient(network, domain, recipient));
    }
  }

  // ---- what other nodes count

  /** Connects, and counts what others have counted from then on. */
  void join(Parts parts, Supplier<Settings> settings, Supplier<Instant> now) {
    if (shared != null) {
      shared.start((counted, ago) -> merge(counted, ago, parts, settings.get(), now.get()));
    }
  }

  private static void merge(
      Counted counted, Duration ago, Parts parts, Settings settings, Instant now) {
    Instant at = now.minus(ago);
    switch (counted) {
      case Counted.Accepted(IpAddress client, String sender) ->
          parts
              .blocklists()
              .accepted(client, SenderWatch.kept(sender, settings.log().privacy()), at);
      case Counted.Greylisted(var sender, boolean cameAgain) ->
          parts.greylist().merge(sender, cameAgain, settings.greylist(), at);
      case Counted.Mail(IpAddress account) ->
          parts.mailLimits().mailElsewhere(account, settings.rates(), ago.toNanos());
      case Counted.Recipient(IpAddress network, var domain, String recipient) ->
          parts
              .mailLimits()
              .recipientElsewhere(network, domain, recipient, settings.rates(), ago.toNanos());
      case Counted.Copied(var copy) -> {
        Campaigns campaigns = parts.campaigns().current();
        if (campaigns != null) {
          campaigns.merge(copy, at, now);
        }
      }
    }
  }

  // ---- seen from outside

  /** How it goes. */
  SharedCounts.Figures figures() {
    return shared == null ? SharedCounts.Figures.alone(alone) : shared.figures();
  }

  /** Why nodes are not counted with though they should be; empty for none. */
  String fault() {
    return shared == null ? "" : shared.figures().problem();
  }

  /** How far back the other nodes' counts reach in Redis, which is asked; -1 for none. */
  long reachMillis() {
    return shared == null ? -1 : shared.reachMillis();
  }

  /** Sends what is left. */
  void close() {
    if (shared != null) {
      shared.close();
    }
  }
}
