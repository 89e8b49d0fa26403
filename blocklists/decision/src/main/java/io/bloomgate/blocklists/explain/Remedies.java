package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The allow entries that could lift a listing of one check in a session, narrowest first: what was
 * listed, for that check only, tied to the client; then the same from anywhere; then wider ones,
 * for sessions that are listed more than once. {@link Undo} tries them. Pure.
 */
final class Remedies {

  /** Carried keys that are tried; each takes a decision. */
  private static final int MAX_CARRIED = 20;

  private final @Nullable IpPrefix client;
  private final @Nullable ListKey helo;
  private final @Nullable MailAddress sender;
  private final @Nullable DomainName domain;
  private final Set<Check> standing;
  private final Set<NewEntry> found = new LinkedHashSet<>();

  private Remedies(Facts keys, Set<Check> standing) {
    this.standing = standing;
    this.client = keys.network() == null ? null : Undo.around(keys.network());
    this.helo = keys.helo();
    this.sender = keys.sender().isEmpty() ? null : keys.sender().getFirst();
    this.domain = keys.senderDomain() == null ? null : readable(keys.senderDomain());
  }

  /**
   * The entries to try against a listing of this check.
   *
   * @param listed the key that is listed; {@code null} when only the check is known
   * @param standing the checks by which the session is listed now
   */
  static List<NewEntry> of(Check check, @Nullable ListKey listed, Facts keys, Set<Check> standing) {
    Remedies remedies = new Remedies(keys, standing);
    switch (check) {
      case CLIENT_IP, ASN -> remedies.client(Set.of(Check.CLIENT_IP));
      case CLIENT_NAME -> {
        remedies.client(Set.of(Check.CLIENT_IP));
        DomainName name = keys.seen().name().key();
        if (name != null && Objects.equals(name, readable(name))) {
          remedies.add(name, null, Set.of(check));
        }
      }
      case HELO -> remedies.helo();
      case SENDER, SENDER_DOMAIN -> remedies.sender(Set.of(check));
      case FROM, FROM_DOMAIN, REPLY_TO_DOMAIN, URL, URL_HOST, ATTACHMENT, SUBJECT, BODY -> {
        List<ListKey> carried =
            listed != null
                ? List.of(listed)
                : Stream.concat(
                        keys.content().keys().stream()
                            .filter(key -> key.check() == check)
                            .map(ContentKey::key),
                        keys.content().signs().stream()
                            .filter(shown -> shown.sign().check() == check)
                            .flatMap(shown -> Stream.ofNullable(shown.subject())))
                    .limit(MAX_CARRIED)
                    .toList();
        if (remedies.client != null) {
          carried.forEach(key -> remedies.carried(check, key, remedies.client));
        }
        carried.forEach(key -> remedies.carried(check, key, null));
        remedies.client(Set.of(check));
      }
    }
    // For sessions that are listed more than once.
    if (standing.size() > 1 || !Check.OF_CONTENT.containsAll(standing)) {
      remedies.names(Set.of(), remedies.client);
    }
    remedies.client(Set.of());
    return new ArrayList<>(remedies.found);
  }

  private void helo() {
    Set<Check> scope = Set.of(Check.HELO);
    Subject said =
        switch (helo) {
          case DomainName name -> readable(name);
          case IpAddress ip -> IpPrefix.host(ip);
          case MailAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> null;
          case null -> null;
        };
    if (said != null) {
      add(said, client, scope);
    }
    client(scope);
    if (said != null) {
      add(said, null, scope);
    }
    names(scope, client);
  }

  private void sender(Set<Check> scope) {
    if (client != null) {
      names(scope, client);
    }
    names(scope, null);
    client(scope);
  }

  /** The host of a URL only where it is listed too. */
  private void carried(Check check, ListKey key, @Nullable IpPrefix from) {
    switch (key) {
      case WebUrl url -> {
        if (!url.isHostOnly()) {
          add(url, from, Set.of(check));
        }
        if (url.isHostOnly() || standing.contains(Check.URL_HOST)) {
          carried(Check.URL_HOST, url.host(), from);
        }
      }
      case DomainName name -> {
        DomainName readable = readable(name);
        if (readable != null) {
          add(readable, from, Set.of(check));
        }
      }
      case IpAddress ip -> add(IpPrefix.host(ip), from, Set.of(check));
      case MailAddress address -> add(address, from, Set.of(check));
      case Fingerprint print -> add(print, from, Set.of(check));
      // Only entries of the operator list such texts, and these are removed by their id.
      case Likeness _, AsNumber _ -> {}
    }
  }

  /** The sender's address before its domain. */
  private void names(Set<Check> scope, @Nullable IpPrefix from) {
    if (sender != null) {
      add(sender, from, scope);
    }
    if (domain != null) {
      add(domain, from, scope);
    }
  }

  private void client(Set<Check> scope) {
    if (client != null) {
      add(client, null, scope);
    }
  }

  private void add(Subject subject, @Nullable IpPrefix from, Set<Check> scope) {
    found.add(new NewEntry(ListKind.ALLOW, subject, from, scope, false, "", null));
  }

  /** The name, or its longest parent that an entry can hold; {@code null} when there is none. */
  private static @Nullable DomainName readable(DomainName name) {
    for (int label = 0; name.labels() - label >= 2; label++) {
      DomainName parent = name.from(label);
      if (DomainName.parse(parent.toString()).toOptional().isPresent()) {
        return parent;
      }
    }
    return null;
  }
}
