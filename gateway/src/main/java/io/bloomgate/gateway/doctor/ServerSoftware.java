package io.bloomgate.gateway.doctor;

import java.util.Locale;

/**
 * The software of the mail server, as far as its greeting shows, and the names of its settings, so
 * that advice fits it. Pure; used by {@link UpstreamChecks}.
 */
enum ServerSoftware {
  POSTFIX(
      "Postfix",
      "in master.cf give it a listener with smtpd_upstream_proxy_protocol=haproxy, reachable from"
          + " the gateway alone, and set downstream.client_address: proxy-v2; or one with"
          + " smtpd_authorized_xclient_hosts=%s",
      "set inet_protocols = all in main.cf and restart Postfix",
      "take %s out of mynetworks, and keep reject_unauth_destination in"
          + " smtpd_relay_restrictions"),
  EXIM(
      "Exim",
      "set hosts_proxy = %s in Exim's main section, and downstream.client_address: proxy-v2",
      "set disable_ipv6 = false in Exim's main section",
      "take %s out of the host list of the ACL that accepts relaying (relay_from_hosts)"),
  HARAKA(
      "Haraka",
      "switch the plugin xclient on in config/plugins, and write %s into config/xclient.hosts",
      "let Haraka's plugin xclient take IPv6 addresses, or update it",
      "take %s out of config/relay_acl_allow"),
  OPENSMTPD(
      "OpenSMTPD",
      "add proxy-v2 to the listen line for the gateway in smtpd.conf, and set"
          + " downstream.client_address: proxy-v2",
      "listen on an IPv6 address too in smtpd.conf, and let `match` rules name IPv6 networks",
      "let no `match` rule of smtpd.conf relay for %s (`from src`, `from any`)"),
  DOVECOT(
      "Dovecot",
      "write %s into login_trusted_networks, which lets it say XCLIENT to the LMTP service",
      "update Dovecot; its XCLIENT takes IPv6 addresses",
      "let the LMTP service take its own users only (lmtp_proxy = no)"),
  EXCHANGE(
      "Microsoft",
      "Exchange takes neither XCLIENT nor PROXY: set downstream.client_address: none, and switch"
          + " SPF and address reputation off on the receive connector for %s",
      "switch IPv6 on for the receive connector",
      "take the right ms-Exch-SMTP-Accept-Any-Recipient from anonymous senders on the receive"
          + " connector for %s"),
  OTHER(
      "",
      "let %s say XCLIENT there, or a PROXY header with downstream.client_address: proxy-v2 or"
          + " proxy-v1; its documentation names the setting",
      "switch IPv6 on in the mail server",
      "take %s out of what the mail server trusts, and let it relay for its own domains only");

  private final String word;
  private final String identity;
  private final String ipv6;
  private final String relay;

  ServerSoftware(String word, String identity, String ipv6, String relay) {
    this.word = word;
    this.identity = identity;
    this.ipv6 = ipv6;
    this.relay = relay;
  }

  /** The software with this greeting. */
  static ServerSoftware greetingWith(String greeting) {
    String said = greeting.toLowerCase(Locale.ROOT);
    for (ServerSoftware software : values()) {
      if (software != OTHER && said.contains(software.word.toLowerCase(Locale.ROOT))) {
        return software;
      }
    }
    return OTHER;
  }

  /** The setting by which it learns the client's address from us. */
  String identityHint(String ownAddress) {
    return identity.formatted(ownAddress);
  }

  /** The setting by which it takes clients with IPv6 addresses. */
  String ipv6Hint() {
    return ipv6 + "; or let no listener here take IPv6 (address: \"0.0.0.0:25\")";
  }

  /** The setting by which it stops relaying for strangers. */
  String relayHint(String ownAddress) {
    return relay.formatted(ownAddress);
  }
}
