package io.bloomgate.blocklists.senders;

import io.bloomgate.blocklists.key.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Which client networks had mail accepted in the last 30 days, and a sample of the senders behind
 * it. Thread-safe: the gateway's sender thread writes, the breaker and {@code feeds diff} ask, a
 * slow chore saves.
 *
 * <p>To ask which recently seen good senders a list would refuse, go through {@link #recent()}: a
 * copy of at most {@link #MAX_SAMPLES}, to be asked one by one. The command line reads the same
 * from the state directory with {@link #read}.
 *
 * <p>Memory is bounded: {@link #MAX_IPV4_NETWORKS} and, apart from them, {@link #MAX_IPV6_NETWORKS}
 * (about 40 MB when both are full; a few thousand networks, the usual, take 100 kB). To push a
 * network out, somebody has to have mail accepted by the real mail server from that many other
 * networks, over TCP; whoever holds a wide IPv6 range cannot push out what is known of IPv4. What
 * is pushed out only makes the breaker less ready to trip.
 */
public final class KnownSenders {

  /** Name of its file in the state directory. */
  public static final String FILE_NAME = "senders.known";

  /** How long accepted mail speaks for a network. */
  public static final Duration KEPT = Duration.ofDays(30);

  /** IPv4 networks that are remembered. */
  public static final int MAX_IPV4_NETWORKS = 1_000_000;

  /** IPv6 networks that are remembered. */
  public static final int MAX_IPV6_NETWORKS = 250_000;

  /** Senders that are remembered one by one. */
  public static final int MAX_SAMPLES = 20_000;

  /** Senders of one network that are remembered. */
  static final int MAX_SAMPLES_OF_A_NETWORK = 8;

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();
  private final SeenNetworks v4 = new SeenNetworks(MAX_IPV4_NETWORKS, (int) KEPT.toSeconds());
  private final SeenNetworks v6 = new SeenNetworks(MAX_IPV6_NETWORKS, (int) KEPT.toSeconds());
  private final SenderSamples samples = new SenderSamples(MAX_SAMPLES, MAX_SAMPLES_OF_A_NETWORK);
  private boolean changed;

  private KnownSenders(Path file) {
    this.file = file;
  }

  /**
   * What was saved, as far as it can be read; what is damaged is told and begun anew.
   *
   * <p>Nothing of it is forgotten yet, however old it looks: at the start nobody knows whether the
   * clock is right.
   *
   * @param file {@link #FILE_NAME} in the state directory
   * @param alarm hears a sentence fit for the operator
   */
  public static KnownSenders open(Path file, Consumer<String> alarm) {
    try {
      return read(file);
    } catch (IOException e) {
      alarm.accept("what is known of good senders cannot be read: " + e.getMessage());
      return new KnownSenders(file);
    }
  }

  /**
   * The same for those who only read; nothing saved is nobody known.
   *
   * @param now what is too old by it, or lies ahead of it, is not known
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

  /**
   * Notes that the upstream took a message.
   *
   * @param sender see {@link KnownSender}
   */
  public void accepted(IpAddress client, String sender, Instant time) {
    lock.lock();
    try {
      networks(client).see(ClientNetwork.number(client), seconds(time));
      samples.see(client, sender, time);
      changed = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * True when the client's network had mail accepted at or before a time, within {@link #KEPT}.
   *
   * @param time the publish in question, at most some days before {@code now}
   */
  public boolean knownBefore(IpAddress client, Instant time, Instant now) {
    lock.lock();
    try {
      return networks(client).seenBefore(ClientNetwork.number(client), seconds(time), seconds(now));
    } finally {
      lock.unlock();
    }
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

  /** How many networks are known. */
  public int networks() {
    lock.lock();
    try {
      return v4.size() + v6.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Forgets what is older than {@link #KEPT}, and takes what lies ahead for now: it was noted while
   * the clock was wrong. For when the clock can be trusted ({@link SteadyClock#isTrusted}).
   */
  public void forgetOld(Instant now) {
    Instant oldest = now.minus(KEPT);
    lock.lock();
    try {
      v4.clamp(seconds(now));
      v6.clamp(seconds(now));
      samples.clamp(now);
      v4.forgetBefore(seconds(oldest));
      v6.forgetBefore(seconds(oldest));
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

  private SeenNetworks networks(IpAddress client) {
    return client.isV4() ? v4 : v6;
  }

  /** Unsigned, so good until 2106. */
  static int seconds(Instant time) {
    return (int) Math.max(0, time.getEpochSecond());
  }
}
