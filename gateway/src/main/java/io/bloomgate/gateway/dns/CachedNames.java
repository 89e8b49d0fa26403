package io.bloomgate.gateway.dns;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ClientName.State;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.dns.KeptAnswers.Asked;
import io.bloomgate.gateway.relay.ClientNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupResult;

/**
 * Looks up names of clients as Postfix sees them: the name of the address, and whether the name has
 * that address; keeps the answers for a while. Made by the composition root and kept over reloads;
 * asked by sessions on their threads, thread-safe.
 */
public final class CachedNames implements ClientNames {

  private static final Logger LOG = LoggerFactory.getLogger(CachedNames.class);

  /** The time that a session waits for a name, counted from the beginning of its look-up. */
  static final Duration WAIT = Duration.ofSeconds(3);

  /**
   * The time that a whole look-up has, with all its questions; somewhat less than sessions wait for
   * it, so that they get what was found in that time.
   */
  static final Duration LOOK_UP_TIME = WAIT.minusMillis(200);

  /** About 4 MB when it is full; the oldest go. */
  static final int MAX_KEPT = 10_000;

  /**
   * Look-ups at the same time, a share of them for one client network ({@link LookupPlaces}); a
   * client beyond that has no name for now.
   */
  static final int MAX_LOOKUPS = 2_000;

  /** The time for which an alarm says that a client had no place. */
  static final Duration ALARM_TIME = Duration.ofMinutes(10);

  /** Look-ups without any answer, one after the other, from which on name servers are silent. */
  static final int SILENT_LOOKUPS = 10;

  /** Further names of an address are ignored (RFC 7208 section 4.6.4 has the same limit). */
  private static final int MAX_NAMES = 10;

  /** A shorter time to live is not kept, so that one busy client costs few questions. */
  private static final Duration KEEP_AT_LEAST = Duration.ofSeconds(30);

  private static final Duration KEEP_AT_MOST = Duration.ofHours(1);

  /** The time for which the answer is kept that DNS has no such name. */
  private static final Duration KEEP_ABSENT = Duration.ofMinutes(5);

  /**
   * The time for which a missing answer is kept: after it the same client causes another question.
   */
  private static final Duration KEEP_DEAD = Duration.ofSeconds(10);

  /** RFC 1035 section 2.3.4, without the root's dot. */
  private static final int MAX_NAME_OCTETS = 253;

  /** RFC 1123 section 2.1, and the underscore that Postfix lets pass. */
  private static final Pattern LABELS =
      Pattern.compile(
          "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
              + "(?:\\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*");

  private static final Pattern NUMBERS = Pattern.compile("[0-9.]*");

  private final Resolvers resolvers;
  private final LongSupplier nanoTime;
  private final LookupPlaces places = new LookupPlaces(MAX_LOOKUPS);
  private final KeptAnswers<IpAddress, ClientName> known;
  private volatile Runnable counter = () -> {};
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile @Nullable Missed missed;
  private volatile long silentSinceNanos;

  /** A client that had no place, and when. */
  private record Missed(IpAddress client, long nanos) {}

  /** The result of a look-up, and the time for which it may be given again. */
  private record Found(ClientName name, Duration keep) {
    static final Found DEAD = new Found(ClientName.UNKNOWN, KEEP_DEAD);
  }

  /**
   * Asks these name servers; nothing is asked yet.
   *
   * @param servers as the settings name them; empty for those of the system
   * @param executor carries out what follows an answer
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public CachedNames(
      Supplier<List<InetSocketAddress>> servers, Executor executor, LongSupplier nanoTime) {
    this.resolvers =
        new Resolvers(
            () -> servers.get().isEmpty() ? Resolvers.ofSystem() : servers.get(),
            LOOK_UP_TIME,
            executor,
            nanoTime);
    this.nanoTime = nanoTime;
    this.known = new KeptAnswers<>(MAX_KEPT, nanoTime);
  }

  @Override
  public Supplier<ClientName> lookUp(IpAddress client) {
    Asked<ClientName> lookup = known.ask(client, () -> place(client));
    return lookup == null ? () -> ClientName.UNKNOWN : () -> lookup.await(WAIT, ClientName.UNKNOWN);
  }

  private @Nullable Consumer<Asked<ClientName>> place(IpAddress client) {
    if (!places.take(client)) {
      counter.run();
      missed = new Missed(client, nanoTime.getAsLong());
      return null;
    }
    return lookup -> {
      var _ =
          CompletableFuture.completedFuture(client)
              .thenCompose(this::find)
              .whenComplete((found, failure) -> {
                if (failure != null) {
                  LOG.warn("the name of {} cannot be looked up", client, failure);
                }
                Found answer = found == null ? Found.DEAD : found;
                note(!answer.equals(Found.DEAD));
                lookup.complete(answer.name(), answer.keep());
                places.giveBack(client);
                if (answer.name().state() == State.UNKNOWN) {
                  resolvers.noAnswer();
                }
              });
    };
  }

  private void note(boolean answered) {
    if (answered) {
      unanswered.set(0);
    } else if (unanswered.getAndIncrement() == 0) {
      silentSinceNanos = nanoTime.getAsLong();
    }
  }

  private CompletableFuture<Found> find(IpAddress client) {
    long endNanos = nanoTime.getAsLong() + LOOK_UP_TIME.toNanos();
    return records(Resolvers.reverse(client), Type.PTR, LOOK_UP_TIME.toNanos())
        .thenCompose(pointers -> {
          if (pointers.isEmpty()) {
            return CompletableFuture.completedFuture(Found.DEAD);
          }
          List<Name> names =
              pointers.get().stream()
                  .limit(MAX_NAMES)
                  .map(pointer -> ((PTRRecord) pointer).getTarget())
                  .filter(name -> wellFormed(name.toString(true)))
                  .toList();
          ClientName claimed =
              names.isEmpty()
                  ? ClientName.NONE
                  : new ClientName(names.getFirst().toString(true), State.UNCONFIRMED);
          Found unless = new Found(claimed, KEEP_ABSENT);
          return confirm(client, names, pointers.get(), unless, endNanos);
        });
  }

  /**
   * Asks for the addresses of these names, one after the other, until one is the client's. A name
   * without an answer leaves a share of the time to each name after it.
   *
   * @param unless the result when none is
   */
  private CompletableFuture<Found> confirm(
      IpAddress client, List<Name> names, List<Record> pointers, Found unless, long endNanos) {
    if (names.isEmpty()) {
      return CompletableFuture.completedFuture(unless);
    }
    Name name = names.getFirst();
    long waitNanos = (endNanos - nanoTime.getAsLong()) / names.size();
    return records(name, client.isV4() ? Type.A : Type.AAAA, waitNanos)
        .thenCompose(addresses -> {
          if (addresses.stream().flatMap(List::stream).anyMatch(each -> holds(each, client))) {
            Found found =
                new Found(
                    new ClientName(name.toString(true), State.CONFIRMED),
                    keep(Stream.concat(pointers.stream(), addresses.get().stream())));
            return CompletableFuture.completedFuture(found);
          }
          Found otherwise =
              addresses.isPresent()
                  ? unless
                  : new Found(new ClientName(unless.name().name(), State.UNKNOWN), KEEP_DEAD);
          return confirm(client, names.subList(1, names.size()), pointers, otherwise, endNanos);
        });
  }

  /** Records of one name, none when it has none; empty for no answer within this time. */
  private CompletableFuture<Optional<List<Record>>> records(Name name, int type, long waitNanos) {
    if (waitNanos <= 0) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return resolvers
        .session()
        .lookupAsync(name, type)
        .toCompletableFuture()
        .thenApply(LookupResult::getRecords)
        .thenApply(all -> all.stream().filter(each -> each.getType() == type).toList())
        .thenApply(Optional::of)
        .exceptionally(
            fault -> Resolvers.isAbsent(fault) ? Optional.of(List.of()) : Optional.empty())
        .completeOnTimeout(Optional.empty(), waitNanos, TimeUnit.NANOSECONDS);
  }

  private static boolean holds(Record record, IpAddress client) {
    InetAddress address =
        switch (record) {
          case ARecord a -> a.getAddress();
          case AAAARecord aaaa -> aaaa.getAddress();
          default -> null;
        };
    return address != null && IpAddress.of(address).equals(client);
  }

  private static Duration keep(Stream<Record> records) {
    long seconds = records.mapToLong(Record::getTTL).min().orElse(0);
    return Duration.ofSeconds(
        Math.clamp(seconds, KEEP_AT_LEAST.toSeconds(), KEEP_AT_MOST.toSeconds()));
  }

  /**
   * True for letters, digits, hyphens and dots in their places, false for numbers alone: for names
   * that Postfix takes for host names too. The owner of an address chooses its name.
   */
  static boolean wellFormed(String name) {
    return name.length() <= MAX_NAME_OCTETS
        && LABELS.matcher(name).matches()
        && !NUMBERS.matcher(name).matches();
  }

  /** Counts look-ups from now on that were not made, because there was no place. */
  public void countBy(Runnable count) {
    counter = count;
  }

  /** A sentence when no name server answers, and one when clients had no place lately. */
  public List<String> alarms() {
    List<String> alarms = new ArrayList<>();
    if (unanswered.get() >= SILENT_LOOKUPS
        && nanoTime.getAsLong() - silentSinceNanos > ALARM_TIME.toNanos()) {
      alarms.add(
          "no name server has answered about a client's name for "
              + ALARM_TIME.toMinutes()
              + " minutes, and each mail of an unknown client waits "
              + WAIT.toSeconds()
              + " s for it: `dns: {servers: []}` takes others than those of the system");
    }
    Missed last = missed;
    if (last == null || nanoTime.getAsLong() - last.nanos() > ALARM_TIME.toNanos()) {
      return alarms;
    }
    alarms.add(
        "names of clients are not looked up, because their network has as many look-ups without an"
            + " answer as it may have, last of "
            + last.client()
            + "; checks of names do not apply to them");
    return alarms;
  }
}
