package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.BulkSettings;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Sign;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The signs that count by the settings, and how a session is found to show them. Part of the {@link
 * Policy}; asked by {@link Collector} for each decision. Immutable, pure.
 */
public final class Signs {

  /** No sign counts. */
  public static final Signs NONE = new Signs(Map.of(), "", List.of(), List.of(), null);

  private final Map<Sign, Action> actions;
  private final String hostname;
  private final OwnDomains domains;
  private final List<DomainName> brands;
  private final int bulkNetworks;
  private final Set<Check> contentChecks;

  /**
   * Takes these signs.
   *
   * @param hostname of this gateway, lower-case
   * @param domains ours, as the settings have them
   * @param brands as {@code content.brands}
   * @param bulk when a mail is bulk; {@code null} for never
   */
  public Signs(
      Map<Sign, Action> actions,
      String hostname,
      List<String> domains,
      List<DomainName> brands,
      @Nullable BulkSettings bulk) {
    this(
        actions,
        hostname,
        OwnDomains.of(domains),
        brands,
        bulk == null ? Integer.MAX_VALUE : bulk.networks());
  }

  private Signs(
      Map<Sign, Action> actions,
      String hostname,
      OwnDomains domains,
      List<DomainName> brands,
      int bulkNetworks) {
    this.actions = Map.copyOf(actions);
    this.hostname = hostname;
    this.domains = domains;
    this.brands = List.copyOf(brands);
    this.bulkNetworks = bulkNetworks;
    this.contentChecks = checksOfContent();
  }

  /** The signs as they count for recipients with a profile. */
  Signs with(RecipientProfile profile) {
    Map<Sign, Action> own = new EnumMap<>(Sign.class);
    actions.forEach((sign, usual) ->
        profile.action(sign.key(), usual).ifPresent(action -> own.put(sign, action)));
    return new Signs(own, hostname, domains, brands, bulkNetworks);
  }

  /** The actions of the signs that a mail shows, by their names. */
  Map<String, Action> ofContent() {
    Map<String, Action> named = new HashMap<>();
    actions.forEach((sign, action) -> {
      if (Check.OF_CONTENT.contains(sign.check())) {
        named.put(sign.key(), action);
      }
    });
    return named;
  }

  /** The signs that a mail shows, whether they count or not. */
  public static List<Content.Shown> ofAny(
      MailEvidence mail, List<String> domains, List<DomainName> brands) {
    return MailSigns.of(mail, OwnDomains.of(domains), brands);
  }

  /** True when this sign counts. */
  public boolean counts(Sign sign) {
    return actions.containsKey(sign);
  }

  /** True when one of them is about the name of the client's address. */
  boolean needName() {
    return counts(Sign.OWN_NAME_IN_FROM)
        || actions.keySet().stream().anyMatch(sign -> sign.check() == Check.CLIENT_NAME);
  }

  /** The checks of the content for which mails are read because of signs. */
  Set<Check> contentChecks() {
    return contentChecks;
  }

  private Set<Check> checksOfContent() {
    Set<Check> checks = EnumSet.noneOf(Check.class);
    actions.keySet().stream().filter(Sign::needsContent).forEach(sign -> checks.add(sign.check()));
    if (counts(Sign.FREE_MAIL_REPLY_TO)) {
      checks.add(Check.FROM_DOMAIN);
    }
    if (counts(Sign.OWN_NAME_IN_FROM)) {
      checks.add(Check.FROM);
    }
    return checks;
  }

  /** The signs that a mail shows, and that count. */
  public List<Content.Shown> of(MailEvidence mail) {
    List<Content.Shown> shown = new ArrayList<>(MailSigns.of(mail, domains, brands));
    shown.removeIf(each -> !counts(each.sign()));
    return shown;
  }

  /**
   * Finds the signs that the session shows. A whole network, of which {@code explain} asks, shows
   * nothing.
   */
  List<Ground.BySign> shownBy(Facts facts) {
    if (actions.isEmpty() || (facts.network() != null && !facts.isOfHost())) {
      return List.of();
    }
    List<Ground.BySign> shown = new ArrayList<>(0);
    IpAddress client = facts.client();
    Seen seen = facts.seen();
    if (seen.early()) {
      note(Sign.EARLY_TALKER, client, client, "spoke before the banner", shown);
    }
    ofMail(facts, client, shown);
    if (!facts.isOfHost()) {
      return shown; // a mail, of whose client nothing is known
    }
    ofName(seen.name(), client, shown);
    ofHelo(facts, client, shown);
    return shown;
  }

  private void ofMail(Facts facts, IpAddress client, List<Ground.BySign> shown) {
    Content content = facts.content();
    Bulk bulk = content.bulk();
    if (bulk != null && bulk.networks() >= bulkNetworks) {
      note(Sign.BULK, client, client, bulk.toString(), shown);
    }
    for (Content.Shown sign : content.signs()) {
      if (sign.sign() != Sign.OWN_NAME_IN_FROM || !isOf(sign.subject(), facts.seen().name())) {
        ListKey subject = sign.subject() == null ? client : sign.subject();
        note(sign.sign(), subject, client, sign.seen(), shown);
      }
    }
  }

  /** True when the client's confirmed name is this one or below it: then it is no other network. */
  private static boolean isOf(@Nullable ListKey claimed, ClientName name) {
    DomainName own = name.key();
    return own != null && claimed instanceof DomainName domain && domain.covers(own);
  }

  private void ofName(ClientName name, IpAddress client, List<Ground.BySign> shown) {
    switch (name.state()) {
      case NONE -> note(Sign.NO_REVERSE_NAME, client, client, "no reverse name", shown);
      case UNCONFIRMED -> note(Sign.UNCONFIRMED_NAME, client, client, name.name(), shown);
      case UNKNOWN, CONFIRMED -> {}
    }
    if (counts(Sign.GENERIC_NAME) && GenericNames.isGeneric(name.name(), client)) {
      note(Sign.GENERIC_NAME, client, client, name.name(), shown);
    }
  }

  private void ofHelo(Facts facts, IpAddress client, List<Ground.BySign> shown) {
    Seen seen = facts.seen();
    IpAddress literal = seen.heloAddress();
    ListKey own = ownName(facts.helo(), literal, seen.ownAddress());
    if (own != null && !client.equals(seen.ownAddress()) && counts(Sign.OWN_NAME_IN_HELO)) {
      note(Sign.OWN_NAME_IN_HELO, own, client, own.toString(), shown);
    } else if (literal != null && !literal.equals(client)) {
      note(Sign.HELO_LITERAL_OF_OTHER, literal, client, literal.toString(), shown);
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

  private void note(
      Sign sign, ListKey subject, IpAddress client, String what, List<Ground.BySign> shown) {
    Action action = actions.get(sign);
    if (action != null) {
      shown.add(new Ground.BySign(sign, subject, client, what, action));
    }
  }
}
