package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.notation.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Name;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

/**
 * The name servers that are asked, as the settings or the system name them. Used by {@link
 * CachedNames} and {@link DnsListAnswers} on any thread; thread-safe.
 */
final class Resolvers {

  /** The time that one server has for one answer before the next is asked. */
  private static final Duration SERVER_TIME = Duration.ofSeconds(2);

  /** The number of times that each server is asked the same. */
  private static final int TRIES = 2;

  /** The shortest interval in which the servers are read again after no answer. */
  private static final Duration REREAD = Duration.ofSeconds(30);

  private final Supplier<List<InetSocketAddress>> servers;
  private final Duration wholeTime;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private volatile @Nullable Asked asked;

  /** A session with the servers that were set when it was made. */
  private record Asked(LookupSession session, long madeNanos) {}

  /**
   * Nothing is read or asked yet.
   *
   * @param servers asked again when none of them answers
   * @param wholeTime how long a question has, with all servers and tries
   * @param executor carries out what follows an answer
   * @param nanoTime a monotonic clock, nanoseconds
   */
  Resolvers(
      Supplier<List<InetSocketAddress>> servers,
      Duration wholeTime,
      Executor executor,
      LongSupplier nanoTime) {
    this.servers = servers;
    this.wholeTime = wholeTime;
    this.executor = executor;
    this.nanoTime = nanoTime;
  }

  /** The servers of {@code /etc/resolv.conf}, or of the system property {@code dns.server}. */
  static List<InetSocketAddress> ofSystem() {
    ResolverConfig.refresh();
    return ResolverConfig.getCurrentConfig().servers();
  }

  /** A server of the settings, which hold addresses only, so nothing is looked up here. */
  static InetSocketAddress address(HostPort server) {
    try {
      return new InetSocketAddress(InetAddress.getByName(server.host()), server.port());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(server.host() + " is not an address", e);
    }
  }

  /** The name of an address, RFC 1035 section 3.5 and RFC 3596 section 2.5. */
  static Name reverse(IpAddress address) {
    byte[] octets =
        address.isV4()
            ? ByteBuffer.allocate(Integer.BYTES).putInt(address.v4Bits()).array()
            : ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(address.high())
                .putLong(address.low())
                .array();
    return ReverseMap.fromAddress(octets);
  }

  /** True for the answer that DNS has no such name or no such record; else there was no answer. */
  static boolean isAbsent(Throwable fault) {
    Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
    return cause instanceof NoSuchDomainException || cause instanceof NoSuchRRSetException;
  }

  /** Two threads may each make one; both are good. */
  LookupSession session() {
    Asked current = asked;
    if (current == null) {
      current = fresh();
      asked = current;
    }
    return current.session();
  }

  /** Nobody answered: perhaps the servers have changed. */
  void noAnswer() {
    Asked current = asked;
    if (current != null && nanoTime.getAsLong() - current.madeNanos() > REREAD.toNanos()) {
      asked = fresh();
    }
  }

  /** The settings name other servers. */
  void changed() {
    asked = null;
  }

  private Asked fresh() {
    List<Resolver> resolvers = servers.get().stream().map(Resolvers::resolver).toList();
    ExtendedResolver all = new ExtendedResolver(resolvers);
    all.setTimeout(wholeTime);
    all.setRetries(TRIES);
    return new Asked(
        LookupSession.builder().resolver(all).executor(executor).build(), nanoTime.getAsLong());
  }

  private static Resolver resolver(InetSocketAddress server) {
    SimpleResolver resolver = new SimpleResolver(server);
    resolver.setTimeout(SERVER_TIME);
    return resolver;
  }
}
