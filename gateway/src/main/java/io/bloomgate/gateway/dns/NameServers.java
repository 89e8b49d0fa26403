package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.ReverseName;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Type;
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
   * The time that a whole look-up has, with all its questions; somewhat less than sessions wait for
   * it, so that they get what was found in that time.
   */
  static final Duration LOOK_UP_TIME = CachedNames.WAIT.minusMillis(200);

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

  private static final long SHORTEST_TTL = 0;

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

  /**
   * Nothing is asked yet.
   *
   * @param nanoTime a monotonic clock, nanoseconds
   */
  NameServers(Resolvers resolvers, LongSupplier nanoTime) {
    this.resolvers = resolvers;
    this.nanoTime = nanoTime;
  }

  /** The name of this address as Postfix sees it. Blocks. */
  @Override
  public Answer apply(IpAddress client) {
    Answer answer = ask(client);
    if (answer.name().dead()) {
      resolvers.noAnswer();
    }
    return answer;
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
      if (!wellFormed(name)) {
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

  /**
   * True for letters, digits, hyphens and dots in their places, false for numbers alone: for names
   * that Postfix takes for host names too. The owner of an address chooses its name.
   */
  static boolean wellFormed(String name) {
    return name.length() <= MAX_NAME_OCTETS
        && LABELS.matcher(name).matches()
        && !NUMBERS.matcher(name).matches();
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
          resolvers
              .session()
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
