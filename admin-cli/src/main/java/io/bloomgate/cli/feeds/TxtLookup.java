package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.guard.SpfNetworks.TxtRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;
import org.jspecify.annotations.Nullable;

/**
 * TXT records by the DNS client of the JDK (module {@code jdk.naming.dns}), over TCP where UDP has
 * too little room. For one command, on its thread.
 */
final class TxtLookup implements TxtRecords {

  /** The first try; the second has twice as long. */
  private static final String TIMEOUT_MILLIS = "3000";

  private static final String TRIES = "2";

  private final Hashtable<String, String> environment = new Hashtable<>();

  /**
   * Asks nothing yet.
   *
   * @param server address of a name server, with or without a port; {@code null} for the system's
   */
  TxtLookup(@Nullable String server) {
    environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
    environment.put(Context.PROVIDER_URL, server == null ? "dns:" : "dns://" + server);
    environment.put("com.sun.jndi.dns.timeout.initial", TIMEOUT_MILLIS);
    environment.put("com.sun.jndi.dns.timeout.retries", TRIES);
  }

  @Override
  public List<String> of(String name) throws IOException {
    try {
      InitialDirContext dns = new InitialDirContext(environment);
      try {
        List<String> texts = new ArrayList<>();
        Attribute txt = dns.getAttributes(name, new String[] {"TXT"}).get("TXT");
        if (txt != null) {
          NamingEnumeration<?> values = txt.getAll();
          while (values.hasMore()) {
            texts.add(joined(String.valueOf(values.next())));
          }
        }
        return texts;
      } finally {
        dns.close();
      }
    } catch (NameNotFoundException e) {
      return List.of();
    } catch (NamingException e) {
      throw new IOException("no answer about " + name + ": " + e, e);
    }
  }

  /**
   * The character strings of a record as one (RFC 7208 section 3.3). The JDK gives them divided by
   * spaces, those with a space inside in quotes.
   */
  static String joined(String value) {
    StringBuilder text = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\' && i + 1 < value.length()) {
        text.append(value.charAt(++i));
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c != ' ' || quoted) {
        text.append(c);
      }
    }
    return text.toString();
  }
}
