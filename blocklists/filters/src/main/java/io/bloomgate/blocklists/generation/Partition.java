package io.bloomgate.blocklists.generation;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;

/**
 * The filters of a generation: one for each kind of key, sized from its own entries, so that a key
 * is looked for only among keys of its kind and a large feed of one kind costs the others no bit.
 * Named in manifests, metrics and {@code explain}.
 *
 * <p>Why not one for each feed: a clean key, which nearly every key is, would pay one cache miss a
 * feed instead of one, and its rates would add up. Asked at 0.1 % and 20 feeds, that is 20 lines to
 * read and 2 % of false positives where one filter of all feeds reads one line; the exact index
 * names the feeds anyway, after a hit.
 */
public enum Partition {
  /** Hosts, and the pivots of networks. */
  IP(0, "ip"),
  /** Domain names. */
  DOMAIN(1, "domain"),
  /** Whole mail addresses. */
  ADDRESS(2, "address"),
  /** Web addresses. */
  URL(3, "url"),
  /** SHA-256 values of what mails carry, and the few AS numbers that are listed. */
  FINGERPRINT(4, "fingerprint");

  /** The number of partitions. */
  static final int COUNT = values().length;

  private final int number;
  private final String word;

  Partition(int number, String word) {
    this.number = number;
    this.word = word;
  }

  /** The partition that a key is asked of. */
  public static Partition of(ListKey key) {
    return switch (key) {
      case IpAddress ignored -> IP;
      case DomainName ignored -> DOMAIN;
      case MailAddress ignored -> ADDRESS;
      case WebUrl ignored -> URL;
      case Fingerprint ignored -> FINGERPRINT;
      case Likeness ignored -> FINGERPRINT;
      case AsNumber ignored -> FINGERPRINT;
    };
  }

  /** The place in arrays of all, from 0. */
  int number() {
    return number;
  }

  /** The name in JSON, metrics and texts. */
  public String word() {
    return word;
  }

  /** Name of the filter's file in the directory of a generation. */
  String file() {
    return word + ".filter";
  }
}
