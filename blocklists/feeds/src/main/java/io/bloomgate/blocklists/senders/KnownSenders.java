package io.bloomgate.blocklists.senders;

import io.bloomgate.blocklists.senders.KnownSender.Asked;
import io.bloomgate.blocklists.senders.SeenDays.SenderSamples;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which hosts had mail accepted in the last 30 days and on which days, and a sample of
 * the senders behind it. Thread-safe: the gateway's sender thread writes, the feed-refresher and
 * {@code feeds diff} ask, a slow chore saves.
 *
 * <p>To ask which recently seen good senders a list would refuse, go through {@link #recent()}: a
 * copy of at most {@link #MAX_SAMPLES}, to be asked one by one. The command line reads the same
 * from the state directory with {@link #read}.
 *
 * <p>Memory is bounded: {@link #MAX_IPV4_HOSTS} and, apart from them, {@link #MAX_IPV6_HOSTS}
 * (about 30 MB when both are full; a few thousand hosts, the usual, take 500 kB). To push a host
 * out, somebody has to have mail accepted by the real mail server from that many others, over TCP;
 * a client with a wide IPv6 range cannot push out what is known of IPv4.
 */
public final class KnownSenders {

  /** Name of its file in the state directory. */
  public static final String FILE_NAME = "senders.known";

  /** The time for which accepted mail counts for a network. */
  public static final Duration KEPT = Duration.ofDays(30);

  /** IPv4 hosts that are remembered. */
  public static final int MAX_IPV4_HOSTS = 250_000;

  /** IPv6 hosts that are remembered, a /64 each. */
  public static final int MAX_IPV6_HOSTS = 60_000;

  /**
   * A mask of the lowest bits of the days in {@link SeenDays}, as many as {@link #KEPT} has days.
   */
  private static final int KEPT_DAYS = (1 << 30) - 1;

  /** Senders that are remembered one by one. */
  public static final int MAX_SAMPLES = 20_000;

  /** Senders of one network that are remembered. */
  static final int MAX_SAMPLES_OF_A_NETWORK = 8;

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();

  /** Hosts by their numbers, see {@link GoodHosts#number}. */
  private final SeenDays<Long> v4 = new SeenDays<>(MAX_IPV4_HOSTS);

  private final SeenDays<Long> v6 = new SeenDays<>(MAX_IPV6_HOSTS);
  private final SenderSamples samples = new SenderSamples(MAX_SAMPLES, MAX_SAMPLES_OF_A_NETWORK);
  private boolean changed;

  /** The good hosts as of the newest {@link #tend}, so that sessions need no lock. */
  private volatile GoodHosts known = GoodHosts.NONE;

  /** Domains of the senders of {@link #samples}, by network; as of the same time. */
  private volatile Map<Long, Set<String>> knownDomains = Map.of();

  private KnownSenders(Path file) {
    this.file = file;
  }

  /** No sender is known, for readers without a state directory. */
  public static KnownSenders nobody() {
    return new KnownSenders(Path.of(FILE_NAME));
  }

  /**
   * Reads what was saved, as far as it can be read; what is damaged is reported, and it starts
   * empty.
   *
   * @param file {@link #FILE_NAME} in the state directory
   * @param alarm receives a sentence fit for the operator
   */
  public static KnownSenders open(Path file, Consumer<String> alarm) {
    try {
      return read(file);
    } catch (IOException e) {
      alarm.accept("what is known of good senders cannot be read: " + Faults.words(e));
      return new KnownSenders(file);
    }
  }

  /**
   * The same for readers; where nothing is saved, no sender is known.
   *
   * @param now what is too old by it is not known
   * @throws IOException when the file is damaged or may not be read
   */
  public static KnownSenders read(Path file, Instant now) throws IOException {
    KnownSenders senders = read(file);
    senders.forgetOld(now);
    return senders;
  }

  private static KnownSenders read(Path file) throws IOException {
    KnownSenders senders = new KnownSenders(file);
    if (Files.exists(file)) {
      SendersFile.read(file, new SendersFile.Content(senders.v4, senders.v6, senders.samples));
    }
    return senders;
  }

  /** Notes an accepted message whose HELO name is not known. */
  public void accepted(IpAddress client, String sender, Instant time) {
    accepted(client, sender, "", time);
  }

  /**
   * Notes that the mail server accepted a message.
   *
   * @param sender see {@link KnownSender}; so is {@code helo}
   */
  public void accepted(IpAddress client, String sender, String helo, Instant time) {
    lock.lock();
    try {
      SeenDays.Seen seen = SeenDays.Seen.once(time);
      (client.isV4() ? v4 : v6).see(GoodHosts.number(client), seen);
      samples.see(new SenderSamples.Sample(client, sender, helo), seen);
      changed = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The hosts of networks whose mail was accepted on enough days, within {@link #KEPT}. A copy, for
   * one look at a new version of a feed; takes some tenths of a second when all is full.
   *
   * @param after a network counts when it had mail accepted on this many days, the hosts of it
   *     taken together; zero: at once
   */
  public GoodHosts good(Duration after, Instant now) {
    int days = days(after);
    lock.lock();
    try {
      Set<IpPrefix> networks = new HashSet<>();
      long[] ipv4 = good(true, days, now, networks);
      long[] ipv6 = good(false, days, now, networks);
      return new GoodHosts(ipv4, ipv6, networks.size());
    } finally {
      lock.unlock();
    }
  }

  private static int days(Duration after) {
    return (int) Math.clamp(after.plusDays(1).minusNanos(1).toDays(), 1, KEPT.toDays());
  }

  /**
   * The keys of the sample that count as those of a good sender: addresses of hosts in good
   * networks, and the names with which such a network sent on enough days, because anybody can
   * claim a name once.
   *
   * @param after as in {@link #good}
   */
  public List<Asked> asked(Duration after, Instant now) {
    GoodHosts good = good(after, now);
    Map<Named, Integer> days = new HashMap<>();
    List<Asked> asked = new ArrayList<>();
    for (KnownSender sample : recent()) {
      IpPrefix network = ClientNetwork.site(sample.client());
      if (good.touches(network)) {
        int seen =
            daysBefore(new SeenDays.Seen(sample.seen().getEpochSecond(), sample.days()), now);
        for (Check check : Check.WITHOUT_LOOK_UP) {
          for (ListKey key : sample.keys(check)) {
            asked.add(new Asked(sample, check, key));
            days.merge(new Named(network, check, key), seen, (one, other) -> one | other);
          }
        }
      }
    }
    asked.removeIf(one ->
        one.check() != Check.CLIENT_IP
            && Integer.bitCount(
                    days.getOrDefault(
                        new Named(
                            ClientNetwork.site(one.sender().client()), one.check(), one.key()),
                        0))
                < days(after));
    return asked;
  }

  /** A name that a network sent with. */
  private record Named(IpPrefix network, Check check, ListKey key) {}

  /** The hosts of good networks in order; the networks are added to those that are given. */
  private long[] good(boolean isV4, int days, Instant now, Set<IpPrefix> networks) {
    Map<IpPrefix, Integer> seenDays = new HashMap<>();
    SeenDays<Long> seen = isV4 ? v4 : v6;
    seen.all()
        .forEach((host, at) ->
            seenDays.merge(site(isV4, host), daysBefore(at, now), (one, other) -> one | other));
    seenDays.forEach((network, on) -> {
      if (Integer.bitCount(on) >= days) {
        networks.add(network);
      }
    });
    LongStream.Builder hosts = LongStream.builder();
    seen.all()
        .forEach((host, at) -> {
          if (daysBefore(at, now) != 0 && networks.contains(site(isV4, host))) {
            hosts.add(host);
          }
        });
    return hosts.build().sorted().toArray();
  }

  private static IpPrefix site(boolean isV4, long host) {
    return ClientNetwork.site(GoodHosts.address(isV4, host));
  }

  private static int daysBefore(SeenDays.Seen seen, Instant now) {
    return seen.at(now.getEpochSecond()).days() & KEPT_DAYS;
  }

  /** The senders of the sample, longest unseen first; a copy. */
  public List<KnownSender> recent() {
    lock.lock();
    try {
      return samples.list();
    } finally {
      lock.unlock();
    }
  }

  /** The number of hosts that are known. */
  public int hosts() {
    lock.lock();
    try {
      return v4.size() + v6.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * True for a client in whose network mail was accepted on enough days within {@link #KEPT}, as of
   * the newest {@link #tend}. Called by sessions.
   */
  public boolean isKnown(IpAddress client) {
    return known.touches(ClientNetwork.site(client));
  }

  /**
   * True when mail of this sender came from the client's network on enough days. A network of which
   * no senders are remembered, or as many as are remembered of one, is known by itself.
   *
   * @param senderDomain {@code null} for the null sender
   */
  public boolean isKnown(IpAddress client, @Nullable DomainName senderDomain) {
    if (!isKnown(client)) {
      return false;
    }
    Set<String> domains = knownDomains.get(siteKey(client));
    String domain = senderDomain == null ? "" : senderDomain.toString();
    return domains == null
        || domains.equals(Set.of(""))
        || domains.size() >= MAX_SAMPLES_OF_A_NETWORK
        || domains.contains(domain);
  }

  /** IPv4 and IPv6 are numbered separately. */
  private static long siteKey(IpAddress client) {
    long number = ClientNetwork.siteNumber(client);
    return client.isV4() ? ~number : number;
  }

  private static Map<Long, Set<String>> domains(List<KnownSender> samples) {
    Map<Long, Set<String>> domains = new HashMap<>();
    for (KnownSender sample : samples) {
      domains
          .computeIfAbsent(siteKey(sample.client()), site -> new HashSet<>())
          .add(sample.domain().map(DomainName::toString).orElse(""));
    }
    return domains;
  }

  /**
   * A chore that may block: forgets what is old, saves, and looks which networks are known now.
   *
   * @param after as in {@link #good}
   * @param alarm receives a sentence when it cannot be saved
   */
  public void tend(Instant now, Duration after, Consumer<String> alarm) {
    forgetOld(now);
    try {
      save();
    } catch (IOException e) {
      alarm.accept("what is known of good senders cannot be saved: " + Faults.words(e));
    }
    known = good(after, now);
    knownDomains = domains(recent());
  }

  /**
   * Forgets what is older than {@link #KEPT}. What lies ahead was noted while the clock was wrong,
   * or the clock is wrong now: it stays.
   */
  public void forgetOld(Instant now) {
    Instant oldest = now.minus(KEPT);
    lock.lock();
    try {
      v4.forgetBefore(oldest);
      v6.forgetBefore(oldest);
      samples.forgetBefore(oldest);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes it down if there is anything new. Takes the lock while the file is written, up to some
   * tenths of a second: only threads that may wait may call what asks for it.
   *
   * @throws IOException when it cannot be written; what was saved before stays
   */
  public void save() throws IOException {
    lock.lock();
    try {
      if (changed) {
        SendersFile.write(file, new SendersFile.Content(v4, v6, samples));
        changed = false;
      }
    } finally {
      lock.unlock();
    }
  }
}
