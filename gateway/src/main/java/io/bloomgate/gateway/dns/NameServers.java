package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.ReverseName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

/**
 * Asks the machine's name servers for the name of an address, and for the address of that name.
 * Used by {@link CachedNames} on the threads of look-ups, which block; thread-safe.
 */
final class NameServers implements Function<IpAddress, NameServers.Answer> {

  /**
   * The result of a look-up. Immutable.
   *
   * @param keep how long the answer may be given again
   */
  record Answer(ReverseName name, Duration keep) {}

  /**
   * How long a whole look-up has, with all its questions; somewhat less than sessions wait for it,
   * so that they get what was found in that time.
   */
  static final Duration LOOK_UP_TIME = CachedNames.WAIT.minusMillis(200);

  /** How long one server has for one answer before the next is asked. */
  private static final Duration SERVER_TIME = Duration.ofSeconds(2);

  /** How often each server is asked the same. */
  private static final int TRIES = 2;

  /** Further names of an address are ignored. */
  private static final int MAX_NAMES = 3;

  /** A shorter time to live is not kept, so that one busy client costs few questions. */
  private static final Duration KEEP_AT_LEAST = Duration.ofSeconds(30);

  private static final Duration KEEP_AT_MOST = Duration.ofHours(1);

  /** For names that DNS reports as missing. */
  private static final Duration KEEP_ABSENT = Duration.ofMinutes(5);

  /** For no answer: after this time the same client causes another question. */
  private static final Duration KEEP_DEAD = Duration.ofSeconds(10);

  /** After no answer the system's settings are read again, at this interval at most. */
  private static final Duration REREAD = Duration.ofSeconds(30);

  private static final long SHORTEST_TTL = 0;

  private final Supplier<List<InetSocketAddress>> servers;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private volatile @Nullable Asked asked;

  /** A session with the servers that were set when it was made. */
  private record Asked(LookupSession session, long madeNanos) {}

  /**
   * Nothing is read or asked yet.
   *
   * @param servers as the system names them, asked again when none of them answers
   * @param executor carries out what follows an answer
   * @param nanoTime a monotonic clock, nanoseconds
   */
  NameServers(Supplier<List<InetSocketAddress>> servers, Executor executor, LongSupplier nanoTime) {
    this.servers = servers;
    this.executor = executor;
    this.nanoTime = nanoTime;
  }

  /** Those of {@code /etc/resolv.conf}, or of the system property {@code dns.server}. */
  static List<InetSocketAddress> ofSystem() {
    ResolverConfig.refresh();
    return ResolverConfig.getCurrentConfig().servers();
  }

  /** Two threads may each make one; both are good. */
  private LookupSession session() {
    Asked current = asked;
    if (current == null) {
      current = fresh();
      asked = current;
    }
    return current.session();
  }

  private Asked fresh() {
    List<Resolver> resolvers = servers.get().stream().map(NameServers::resolver).toList();
    ExtendedResolver all = new ExtendedResolver(resolvers);
    all.setTimeout(LOOK_UP_TIME);
    all.setRetries(TRIES);
    return new Asked(
        LookupSession.builder().resolver(all).executor(executor).build(), nanoTime.getAsLong());
  }

  private static Resolver resolver(InetSocketAddress server) {
    SimpleResolver resolver = new SimpleResolver(server);
    resolver.setTimeout(SERVER_TIME);
    return resolver;
  }

  /** The name of this address as Postfix sees it. Blocks. */
  @Override
  public Answer apply(IpAddress client) {
    Answer answer = ask(client);
    if (answer.name().dead()) {
      rereadServers();
    }
    return answer;
  }

  private void rereadServers() {
    Asked current = asked;
    if (current != null && nanoTime.getAsLong() - current.madeNanos() > REREAD.toNanos()) {
      asked = fresh();
    }
  }

  private static byte[] octets(IpAddress client) {
    return client.isV4()
        ? ByteBuffer.allocate(Integer.BYTES).putInt(client.v4Bits()).array()
        : ByteBuffer.allocate(2 * Long.BYTES).putLong(client.high()).putLong(client.low()).array();
  }

  private Answer ask(IpAddress client) {
    long endNanos = nanoTime.getAsLong() + LOOK_UP_TIME.toNanos();
    Name question = ReverseMap.fromAddress(octets(client));
    Found names = records(question, Type.PTR, LOOK_UP_TIME.toNanos());
    if (names.dead()) {
      return new Answer(ReverseName.DEAD, KEEP_DEAD);
    }
    String claimed = "";
    boolean dead = false;
    List<Record> pointers = names.first(MAX_NAMES);
    int toCome = pointers.size();
    for (Record record : pointers) {
      // A name without an answer leaves a share of the time to each name after it.
      long waitNanos = (endNanos - nanoTime.getAsLong()) / toCome--;
      String name = ((PTRRecord) record).getTarget().toString(true);
      if (!HostNames.wellFormed(name)) {
        continue;
      }
      claimed = claimed.isEmpty() ? name : claimed;
      Found addresses =
          records(((PTRRecord) record).getTarget(), client.isV4() ? Type.A : Type.AAAA, waitNanos);
      if (addresses.hold(client)) {
        Duration keep =
            names.keep().compareTo(addresses.keep()) < 0 ? names.keep() : addresses.keep();
        return new Answer(new ReverseName(name, name, false), keep);
      }
      dead |= addresses.dead();
    }
    return new Answer(new ReverseName("", claimed, dead), dead ? KEEP_DEAD : KEEP_ABSENT);
  }

  /** Records of one name; {@code null} for no answer. */
  private record Found(@Nullable List<Record> records) {

    boolean dead() {
      return records == null;
    }

    List<Record> first(int count) {
      return records == null ? List.of() : records.subList(0, Math.min(count, records.size()));
    }

    boolean hold(IpAddress client) {
      return records != null
          && records.stream()
              .anyMatch(record -> {
                InetAddress address = addressOf(record);
                return address != null && IpAddress.of(address).equals(client);
              });
    }

    private static @Nullable InetAddress addressOf(Record record) {
      return switch (record) {
        case ARecord a -> a.getAddress();
        case AAAARecord aaaa -> aaaa.getAddress();
        default -> null;
      };
    }

    Duration keep() {
      long seconds =
          records == null
              ? SHORTEST_TTL
              : records.stream().mapToLong(Record::getTTL).min().orElse(SHORTEST_TTL);
      return Duration.ofSeconds(
          Math.clamp(seconds, KEEP_AT_LEAST.toSeconds(), KEEP_AT_MOST.toSeconds()));
    }
  }

  /** Asks for what is left of the time, and not at all when nothing is left. */
  private Found records(Name name, int type, long waitNanos) {
    if (waitNanos <= 0) {
      return new Found(null);
    }
    try {
      return new Found(
          session()
              .lookupAsync(name, type)
              .toCompletableFuture()
              .get(waitNanos, TimeUnit.NANOSECONDS)
              .getRecords()
              .stream()
              .filter(record -> record.getType() == type)
              .toList());
    } catch (ExecutionException e) {
      boolean absent =
          e.getCause() instanceof NoSuchDomainException
              || e.getCause() instanceof NoSuchRRSetException;
      return new Found(absent ? List.of() : null);
    } catch (TimeoutException e) {
      return new Found(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Found(null);
    }
  }
}
