package io.bloomgate.blocklists.senders;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks a finished generation, before it is published, for every good sender, and the {@link
 * Breaker} which entries of its new versions are held back for them (promise P5). Good are networks
 * that sent accepted mail on enough days while no list named them, the names that such a network
 * sent with, and what an owner names: known-good files and allow entries. A network that two other
 * lists name is not good. Made for one build; on the feed-refresher thread.
 */
public final class GoodSenders {

  /** Other lists that name a network which is not good then; those of one publisher are one. */
  private static final int OTHER_LISTS = 2;

  private final ListSnapshot finished;
  private final ListSnapshot live;
  private final Map<String, Source> sources;

  /** The entries that were found, by feed. */
  private final Map<String, Map<ListEntry, Breaker.Found>> found = new HashMap<>();

  /**
   * One look at a generation.
   *
   * @param finished not published yet, with what is held back of its new versions
   * @param live of this moment: what is in it was judged before
   * @param sources all feeds
   */
  public GoodSenders(ListSnapshot finished, ListSnapshot live, Map<String, Source> sources) {
    this.finished = finished;
    this.live = live;
    this.sources = sources;
  }

  /** True where the breaker looks at a feed. */
  public static boolean isAsked(Source source) {
    return (source.guard().breakerNetworks() != null || source.guard().maxGoodHits() != null)
        && source.action() != Action.TRUST
        && (source.checks().contains(Check.ASN)
            || Check.WITHOUT_LOOK_UP.stream().anyMatch(source.checks()::contains));
  }

  /**
   * The entries that are held back, by feed; feeds of which none is are left out.
   *
   * @param feeds with a new version, and what of it is held back of the live version
   * @param owners what owners name
   * @throws IOException when it cannot be written down; the generation must not go live then
   */
  public Map<String, List<ListEntry>> held(
      Map<String, List<ListEntry>> feeds,
      KnownSenders senders,
      KnownGood owners,
      Breaker breaker,
      Instant now)
      throws IOException {
    Map<Duration, Set<Source>> byDays = new LinkedHashMap<>();
    for (String feed : feeds.keySet()) {
      Source source = sources.get(feed);
      if (source != null && isAsked(source)) {
        byDays.computeIfAbsent(source.guard().knownAfter(), _ -> new LinkedHashSet<>()).add(source);
      }
    }
    Map<String, List<ListEntry>> held = new LinkedHashMap<>();
    for (Map.Entry<Duration, Set<Source>> one : byDays.entrySet()) {
      int networks = look(one.getValue(), one.getKey(), senders, owners, now);
      for (Source source : one.getValue()) {
        Set<ListEntry> entries =
            new LinkedHashSet<>(breaker.judge(question(source, networks), now));
        if (!breaker.mayRelease(source.name())) {
          entries.addAll(feeds.getOrDefault(source.name(), List.of()));
        }
        if (!entries.isEmpty()) {
          held.put(source.name(), List.copyOf(entries));
        }
      }
    }
    return held;
  }

  /** The entries that would be held back of a list that is loaded for the first time. */
  public static List<ListEntry> heldAtFirst(
      ListSnapshot lists, Source source, KnownSenders senders, KnownGood owners, Instant now) {
    if (!isAsked(source)) {
      return List.of();
    }
    GoodSenders look = new GoodSenders(lists, ListSnapshot.EMPTY, Map.of());
    int networks = look.look(Set.of(source), source.guard().knownAfter(), senders, owners, now);
    return Breaker.heldAtFirst(look.question(source, networks), now);
  }

  /** Adds the senders whose mail was accepted to what owners name. */
  public static KnownGood with(KnownGood owners, Source source, KnownSenders senders, Instant now) {
    return subjects -> {
      owners.forEach(subjects);
      senders
          .asked(source.guard().knownAfter(), now)
          .forEach(sender -> {
            if (source.checks().contains(sender.check())) {
              subjects.accept(sender.subject(), KnownGoodHits.KNOWN_SENDER);
            }
          });
    };
  }

  /** Asks for all good senders; gives the number of networks that are known. */
  private int look(
      Set<Source> of, Duration knownAfter, KnownSenders senders, KnownGood owners, Instant now) {
    GoodHosts good = senders.good(knownAfter, now);
    good.forEach(host -> known(host, of));
    for (KnownSender.Asked asked : senders.asked(knownAfter, now)) {
      ask(asked.key(), asked.check(), asked.sender().client(), "", of);
    }
    owners.forEach((subject, _) -> owned(subject, of));
    return good.networks();
  }

  private Breaker.Question question(Source source, int networks) {
    return new Breaker.Question(
        source,
        networks,
        found.getOrDefault(source.name(), Map.of()),
        live.manifest().feed(source.name()).isEmpty());
  }

  /** Asks for a host; of IPv6 a /64 is known, and entries inside count as the network does. */
  private void known(IpAddress host, Set<Source> of) {
    ask(host, Check.CLIENT_IP, host, "", of);
    askNumbers(host, host, "", of);
    if (!host.isV4()) {
      Set<IpAddress> inside = new HashSet<>();
      finished.forEachWithin(
          IpPrefix.around(host, Long.SIZE), network -> inside.add(network.network()));
      inside.forEach(one -> ask(one, Check.CLIENT_IP, one, "", of));
    }
  }

  private void owned(Subject subject, Set<Source> of) {
    for (ListKey key : KnownGood.keys(subject)) {
      ask(key, null, null, subject.toString(), of);
      if (key instanceof IpAddress host) {
        askNumbers(host, null, subject.toString(), of);
      }
    }
  }

  /** Asks for the AS numbers of a host. */
  private void askNumbers(
      IpAddress host, @Nullable IpAddress client, String owned, Set<Source> of) {
    for (AsnAnswer whose : finished.asn(IpPrefix.host(host))) {
      if (whose.number() != null) {
        ask(whose.number(), Check.ASN, client, owned, of);
      }
    }
  }

  /**
   * Asks for one key.
   *
   * @param check the part of a transaction that it is, {@code null} for any
   * @param client whose network is hit, {@code null} for what an owner named
   * @param owned what an owner named
   */
  private void ask(
      ListKey key,
      @Nullable Check check,
      @Nullable IpAddress client,
      String owned,
      Set<Source> of) {
    List<Listing> listings = listings(finished, key);
    for (Source source : of) {
      List<ListEntry> entries = entries(source, listings);
      if (!entries.isEmpty()
          && (check == null || source.checks().contains(check))
          && (client == null || !othersName(client, source))) {
        for (ListEntry entry : entries) {
          Breaker.Found senders = found(source, entry, key);
          Set<String> into = client == null ? senders.owned() : senders.networks();
          if (into.size() < Breaker.MAX_HITS) {
            into.add(client == null ? owned : network(client));
          }
        }
      }
    }
  }

  private static List<ListEntry> entries(Source source, List<Listing> listings) {
    return listings.stream()
        .filter(listing -> listing.feed().equals(source.name()))
        .map(Listing::entry)
        .toList();
  }

  /** The network of a client: of IPv6 the /32, as its holder has any number of smaller ones. */
  private static String network(IpAddress client) {
    return (client.isV4() ? ClientNetwork.site(client) : IpPrefix.around(client, Integer.SIZE))
        .toString();
  }

  private Breaker.Found found(Source source, ListEntry of, ListKey key) {
    return found
        .computeIfAbsent(source.name(), _ -> new LinkedHashMap<>())
        .computeIfAbsent(
            of,
            entry ->
                new Breaker.Found(
                    listings(live, key).stream()
                        .noneMatch(old ->
                            old.feed().equals(source.name())
                                && old.entry().with(false, 0).equals(entry.with(false, 0))),
                    new LinkedHashSet<>(),
                    new LinkedHashSet<>()));
  }

  private boolean othersName(IpAddress client, Source source) {
    Set<String> others = new HashSet<>();
    for (Listing listing : listings(live, client)) {
      Source other = sources.get(listing.feed());
      if (other != null
          && !other.family().equals(source.family())
          && other.action() != Action.TRUST
          && other.checks().contains(Check.CLIENT_IP)) {
        others.add(other.family());
      }
    }
    return others.size() >= OTHER_LISTS;
  }

  private static List<Listing> listings(ListSnapshot lists, ListKey key) {
    return lists.ask(key) instanceof ListAnswer.Listed(var filter, List<Listing> all)
        ? all
        : List.of();
  }
}
