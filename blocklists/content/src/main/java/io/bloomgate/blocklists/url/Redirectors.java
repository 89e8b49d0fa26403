package io.bloomgate.blocklists.url;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.NameList;
import io.bloomgate.config.name.WebUrl;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that lead to other hosts, and the targets that their URLs carry themselves: Safe Links, URL
 * Defense, {@code google.com/url?q=}, click counters. No network: what a short link stands for
 * stays unknown. Asked by the reader of a mail for each URL; any thread, pure.
 */
public final class Redirectors {

  /** Number of times that a target that is again a redirector's URL is unwrapped. */
  public static final int MAX_DEPTH = 5;

  /** A URL inside another, and whether the outer one leads there. */
  public record Target(WebUrl url, boolean followed) {}

  private static final NameList LISTED = NameList.REDIRECTORS;
  private static final NameList PAGES = NameList.REDIRECTOR_PAGES;

  /** Labels of the longest name of both lists. */
  private static final int LONGEST = Math.max(LISTED.longest(), PAGES.longest());

  private static final byte[] GOOGLE = "google".getBytes(US_ASCII);

  /** Its line has the paths of all of them. */
  private static final DomainName GOOGLE_COM =
      DomainName.asked("google.com").orElseThrow(IllegalStateException::new);

  private static final int LONGEST_GOOGLE = "notifications.google.com.xx".length();

  private Redirectors() {}

  /** True for the host of a redirector; names below a listed name belong to it. */
  public static boolean isRedirector(ListKey host) {
    if (!(host instanceof DomainName name)) {
      return false;
    }
    for (int label = Math.max(0, name.labels() - LONGEST); label <= name.labels() - 2; label++) {
      DomainName parent = name.from(label);
      if (LISTED.names().contains(parent) || PAGES.covers(name, label, parent)) {
        return true;
      }
    }
    return isGoogle(name);
  }

  /** {@code google.com}, {@code www.google.co.uk}, {@code maps.google.com} and their like. */
  private static boolean isGoogle(DomainName name) {
    if (name.length() > LONGEST_GOOGLE || name.length() <= GOOGLE.length) {
      return false;
    }
    byte[] text = name.octets();
    int first = text[GOOGLE.length] == '.' && isGoogle(text, 0) ? 0 : name.nextLabel(0);
    int dot = first + GOOGLE.length;
    return dot < text.length
        && text[dot] == '.'
        && isGoogle(text, first)
        && text.length - dot <= ".com.xx".length();
  }

  private static boolean isGoogle(byte[] text, int from) {
    return Arrays.equals(text, from, from + GOOGLE.length, GOOGLE, 0, GOOGLE.length);
  }

  /** True when this page leads on, and not only others of its site. */
  private static boolean leads(WebUrl url) {
    if (!(url.host() instanceof DomainName name)) {
      return false;
    }
    List<String> paths = paths(name);
    if (paths == null) {
      return true;
    }
    String page = url.toString().substring(url.hostEnd()).toLowerCase(Locale.ROOT);
    for (String path : paths) {
      int query = path.indexOf('?');
      if (query < 0
          ? page.startsWith(path)
          : page.startsWith(path.substring(0, query)) && page.contains(path.substring(query + 1))) {
        return true;
      }
    }
    return false;
  }

  /** The paths of a redirector that lead on; {@code null} for all of them. */
  private static @Nullable List<String> paths(DomainName name) {
    for (int label = Math.max(0, name.labels() - LONGEST); label <= name.labels() - 2; label++) {
      DomainName parent = name.from(label);
      if (LISTED.names().contains(parent)) {
        return null;
      }
      if (PAGES.covers(name, label, parent)) {
        return PAGES.paths().get(parent);
      }
    }
    return PAGES.paths().get(GOOGLE_COM);
  }

  /**
   * Returns what a URL leads to, as far as its own text says so: its targets, and theirs where they
   * are redirectors too, nearest first; empty when its host is no redirector.
   *
   * @param url the URL
   * @param raw the text that it was read from, escapes as written: in the canonical form nobody can
   *     tell where a parameter ends
   */
  public static List<Target> targets(WebUrl url, String raw) {
    Map<WebUrl, Target> found = new LinkedHashMap<>();
    unwrap(url, raw, 1, true, found);
    return List.copyOf(found.values());
  }

  private static void unwrap(
      WebUrl url, String raw, int depth, boolean followed, Map<WebUrl, Target> found) {
    if (!isRedirector(url.host())) {
      return;
    }
    boolean leads = followed && leads(url);
    for (String text : TargetTexts.of(url.host().toString(), raw)) {
      WebUrl target = WebUrl.asked(text).orElse(null);
      if (target == null || target.equals(url)) {
        continue;
      }
      Target known = found.get(target);
      if (known == null || (leads && !known.followed())) {
        found.put(target, new Target(target, leads));
        if (depth < MAX_DEPTH) {
          unwrap(target, text, depth + 1, leads, found);
        }
      }
    }
  }
}
