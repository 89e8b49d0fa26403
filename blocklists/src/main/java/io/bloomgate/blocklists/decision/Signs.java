package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.BulkSettings;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Sign;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The signs that count by the settings, and how a session is found to show them. Part of the {@link
 * Policy}; asked by {@link Collector} for each decision. Immutable, pure.
 */
public final class Signs {

  /** No sign counts. */
  public static final Signs NONE = new Signs(Map.of(), "", List.of());

  private final Map<Sign, Action> actions;
  private final String hostname;
  private final OwnDomains domains;
  private final int bulkNetworks;

  /**
   * These signs, without {@link Sign#BULK}.
   *
   * @param hostname of this gateway, lower-case
   * @param domains ours, as the settings have them
   */
  public Signs(Map<Sign, Action> actions, String hostname, List<String> domains) {
    this(actions, hostname, domains, null);
  }

  /**
   * These signs.
   *
   * @param hostname of this gateway, lower-case
   * @param domains ours, as the settings have them
   * @param bulk when a mail is bulk; {@code null} for never
   */
  public Signs(
      Map<Sign, Action> actions,
      String hostname,
      List<String> domains,
      @Nullable BulkSettings bulk) {
    this.actions = Map.copyOf(actions);
    this.hostname = hostname;
    this.domains = OwnDomains.of(domains);
    this.bulkNetworks = bulk == null ? Integer.MAX_VALUE : bulk.networks();
  }

  /** True when no sign counts. */
  public boolean isEmpty() {
    return actions.isEmpty();
  }

  /** True when this sign counts. */
  public boolean counts(Sign sign) {
    return actions.containsKey(sign);
  }

  /** True when one of them is about the name of the client's address. */
  boolean needName() {
    return actions.keySet().stream().anyMatch(sign -> sign.check() == Check.CLIENT_NAME);
  }

  /**
   * Notes what the session shows. A whole network, of which {@code explain} asks, shows nothing.
   */
  void collect(SessionKeys keys, Findings findings) {
    IpPrefix network = keys.client();
    if (actions.isEmpty() || network == null || !network.isHost()) {
      return;
    }
    IpAddress client = network.network();
    Seen seen = keys.seen();
    if (seen.early()) {
      note(Sign.EARLY_TALKER, client, client, "spoke before the banner", findings);
    }
    ofMail(keys, client, findings);
    ofName(seen.name(), client, findings);
    ofHelo(keys, client, findings);
  }

  /** As other content, it does no more than tag where one of the recipients is exempt. */
  private void ofMail(SessionKeys keys, IpAddress client, Findings findings) {
    Bulk bulk = keys.seen().bulk();
    Action action = actions.get(Sign.BULK);
    if (action != null && bulk.isCampaign() && bulk.networks() >= bulkNetworks) {
      Weakness weakness = keys.content().exemptAmong() ? Weakness.EXEMPT : Weakness.NONE;
      findings.add(new Ground.BySign(Sign.BULK, client, client, bulk.toString(), action, weakness));
    }
  }

  private void ofName(ClientName name, IpAddress client, Findings findings) {
    switch (name.state()) {
      case NONE -> note(Sign.NO_REVERSE_NAME, client, client, "no reverse name", findings);
      case UNCONFIRMED -> note(Sign.UNCONFIRMED_NAME, client, client, name.name(), findings);
      case UNKNOWN, CONFIRMED -> {}
    }
    if (counts(Sign.GENERIC_NAME) && GenericNames.isGeneric(name.name(), client)) {
      note(Sign.GENERIC_NAME, client, client, name.name(), findings);
    }
  }

  private void ofHelo(SessionKeys keys, IpAddress client, Findings findings) {
    Seen seen = keys.seen();
    IpAddress literal = seen.heloAddress();
    ListKey own = ownName(keys.helo(), literal, seen.ownAddress());
    if (own != null && !client.equals(seen.ownAddress()) && counts(Sign.OWN_NAME_IN_HELO)) {
      note(Sign.OWN_NAME_IN_HELO, own, client, own.toString(), findings);
    } else if (literal != null && !literal.equals(client)) {
      note(Sign.HELO_LITERAL_OF_OTHER, literal, client, literal.toString(), findings);
    }
  }

  private @Nullable ListKey ownName(
      @Nullable ListKey helo, @Nullable IpAddress literal, @Nullable IpAddress ownAddress) {
    if (literal != null) {
      return literal.equals(ownAddress) ? literal : null;
    }
    if (helo instanceof DomainName name) {
      String text = name.toString();
      boolean own = text.equals(hostname) || domains.contains(text);
      return own ? name : null;
    }
    return null;
  }

  private void note(Sign sign, ListKey subject, IpAddress client, String what, Findings findings) {
    Action action = actions.get(sign);
    if (action != null) {
      findings.add(new Ground.BySign(sign, subject, client, what, action));
    }
  }
}
