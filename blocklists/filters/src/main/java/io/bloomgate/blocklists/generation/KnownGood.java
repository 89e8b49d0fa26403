package io.bloomgate.blocklists.generation;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Senders known to be good, whose listings a build looks for. It asks for it several times and gets
 * the same each time; called on the building thread.
 */
@FunctionalInterface
public interface KnownGood {

  /** Nothing is known to be good. */
  KnownGood NONE = subjects -> {};

  /**
   * Reads files of such senders, named by paths or patterns.
   *
   * @param read gives what is in them now; sentences about what does not count go to the consumer
   * @param stamp gives a text that changes when one of the files does
   */
  record Reader(
      BiFunction<List<Path>, Consumer<String>, KnownGood> read,
      Function<List<Path>, String> stamp) {}

  /** Gives every subject with the place where it was read: {@code FILE:LINE}, or a word for it. */
  void forEach(BiConsumer<? super Subject, String> subjects);

  /** True when nothing is known to be good. */
  default boolean isEmpty() {
    AtomicBoolean empty = new AtomicBoolean(true);
    forEach((_, _) -> empty.set(false));
    return empty.get();
  }

  /** The same, and what the operator's allow entries name. */
  default KnownGood and(List<Subject> allowed) {
    return subjects -> {
      forEach(subjects);
      allowed.forEach(subject -> subjects.accept(subject, KnownGoodHits.ALLOW_ENTRY));
    };
  }

  /** Asks a generation for these subjects. */
  default KnownGoodCounts in(ListSnapshot lists) {
    return new KnownGoodProof(lists).run(this);
  }

  /**
   * The keys by which sessions ask about a subject; none for a network of more than 256 hosts and
   * for a pattern, which are too much to ask one by one.
   */
  static List<ListKey> keys(Subject subject) {
    return switch (subject) {
      case DomainName _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> subject.keys();
      case MailAddress address -> {
        List<ListKey> keys = address.keys();
        if (address.host() instanceof MailAddress.Host.Literal(IpAddress literal)) {
          keys.add(literal);
        }
        yield keys;
      }
      case IpPrefix network -> hosts(network);
      case NamePattern _ -> List.of();
    };
  }

  private static List<ListKey> hosts(IpPrefix network) {
    List<ListKey> keys = new ArrayList<>();
    int hostBits = (network.isV4() ? 32 : 128) - network.length();
    if (hostBits > Byte.SIZE) {
      return keys;
    }
    IpAddress first = network.network();
    for (int i = 0; i < 1 << hostBits; i++) {
      keys.add(new IpAddress(first.high(), first.low() + i));
    }
    return keys;
  }
}
