package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Check;
import java.time.Instant;

/**
 * Second step of a decision: the operator's own blocks. Without a scope a network blocks
 * connections, a domain the senders at it and below, an address that sender; a scope names the
 * check instead ({@code helo}: the name or the literal of HELO; {@code url_host}, {@code from}:
 * what the mail carries). A web address or a fingerprint blocks mail that carries it. With {@code
 * from} a block holds only for clients inside. Pure but for {@link Findings}.
 */
final class Blocks {

  private final SessionKeys keys;
  private final OperatorView view;
  private final Instant now;
  private final Findings findings;

  private Blocks(SessionKeys keys, OperatorView view, Instant now, Findings findings) {
    this.keys = keys;
    this.view = view;
    this.now = now;
    this.findings = findings;
  }

  /** Notes every block that holds for the session. */
  static void collect(SessionKeys keys, OperatorView view, Instant now, Findings findings) {
    new Blocks(keys, view, now, findings).collect();
  }

  private void collect() {
    IpPrefix client = keys.client();
    if (client != null) {
      note(Check.CLIENT_IP, client.network(), true);
    }
    ListKey helo = keys.helo();
    if (helo != null) {
      note(Check.HELO, helo, false);
    }
    for (MailAddress form : keys.sender()) {
      note(Check.SENDER, form, true);
    }
    DomainName domain = keys.senderDomain();
    if (domain != null) {
      note(Check.SENDER, domain, false);
      note(Check.SENDER_DOMAIN, domain, true);
    }
    for (ContentKey one : keys.content().keys()) {
      boolean ofContentOnly =
          switch (one.key()) {
            case WebUrl _, Fingerprint _, Likeness _ -> true;
            case IpAddress _, DomainName _, MailAddress _ -> false;
          };
      note(one.check(), one.key(), ofContentOnly, Collector.weakness(keys.content(), one));
    }
  }

  /**
   * Notes blocks around the key.
   *
   * @param natural true when an entry without a scope is for this check
   */
  private void note(Check check, ListKey key, boolean natural) {
    note(check, key, natural, Weakness.NONE);
  }

  private void note(Check check, ListKey key, boolean natural, Weakness weakness) {
    for (OperatorEntry block : view.covering(ListKind.BLOCK, key, now)) {
      boolean meant = block.scope().isEmpty() ? natural : block.scope().contains(check);
      if (meant && holdsFor(block, check)) {
        findings.add(new Ground.Blocked(check, key, block, weakness));
      }
    }
  }

  private boolean holdsFor(OperatorEntry block, Check check) {
    if (block.from() != null && !keys.clientWithin(block.from())) {
      return false;
    }
    return check != Check.CLIENT_IP
        || !(block.subject() instanceof IpPrefix prefix)
        || keys.clientWithin(prefix);
  }
}
