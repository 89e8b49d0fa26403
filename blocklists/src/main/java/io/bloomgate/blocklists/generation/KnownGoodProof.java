package io.bloomgate.blocklists.generation;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a finished generation for every known-good subject as sessions ask it: counts what no list
 * names, and logs the rest. Run by {@link SnapshotBuilder} on the building thread.
 */
final class KnownGoodProof {

  private static final Logger LOG = LoggerFactory.getLogger(KnownGoodProof.class);

  /** Hosts of a network that are asked one by one; a wider one is too much to prove. */
  private static final int MAX_HOSTS = 256;

  private static final int MAX_HOST_BITS = Integer.numberOfTrailingZeros(MAX_HOSTS);

  /** Subjects that the log names. */
  private static final int SAMPLE = 5;

  private final ListSnapshot snapshot;
  private final List<String> sample = new ArrayList<>();
  private long proven;
  private long listed;
  private long wide;

  KnownGoodProof(ListSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  KnownGoodCounts run(KnownGood knownGood) {
    knownGood.forEach(this::ask);
    if (proven + listed > 0) {
      LOG.info("known-good set: {} not listed, {} listed", proven, listed);
    }
    if (listed > 0) {
      LOG.warn(
          "the lists hold {} of the known-good set, under a listed name or in or beside a listed"
              + " network; that is judged like other mail unless an allow entry lifts it; the"
              + " first: {}",
          listed,
          String.join(", ", sample));
    }
    if (wide > 0) {
      LOG.warn("{} networks of the known-good set are too wide to be proven host by host", wide);
    }
    return new KnownGoodCounts(proven, listed);
  }

  private void ask(Subject subject) {
    List<ListKey> keys = keys(subject);
    if (keys.isEmpty()) {
      wide++;
    } else if (keys.stream().noneMatch(this::isListed)) {
      proven++;
    } else {
      listed++;
      if (sample.size() < SAMPLE) {
        sample.add(subject.toString());
      }
    }
  }

  private boolean isListed(ListKey key) {
    return snapshot.ask(key) instanceof ListAnswer.Listed;
  }

  /**
   * The keys by which sessions ask about a subject; none for a network of more than {@link
   * #MAX_HOSTS} hosts.
   */
  static List<ListKey> keys(Subject subject) {
    return switch (subject) {
      case DomainName _, WebUrl _, Fingerprint _, Likeness _ -> subject.keys();
      case MailAddress address -> {
        List<ListKey> keys = address.keys();
        if (address.host() instanceof MailAddress.Host.Literal(IpAddress literal)) {
          keys.add(literal);
        }
        yield keys;
      }
      case IpPrefix network -> hosts(network);
    };
  }

  private static List<ListKey> hosts(IpPrefix network) {
    List<ListKey> keys = new ArrayList<>();
    int hostBits = (network.isV4() ? 32 : 128) - network.length();
    if (hostBits > MAX_HOST_BITS) {
      return keys;
    }
    IpAddress first = network.network();
    for (int i = 0; i < 1 << hostBits; i++) {
      keys.add(new IpAddress(first.high(), first.low() + i));
    }
    return keys;
  }
}
