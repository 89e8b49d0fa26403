package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.WebUrl;

/** A URL that a text or an attribute holds. {@link UrlScanner} makes them; immutable. */
public record FoundUrl(WebUrl url, Form form) {}
