/**
 * HTML as mail clients read it, while its characters pass: visible text, links, what frames and
 * scripts hold.
 *
 * <p>{@code HtmlReading} is the only door, {@code HtmlSink} takes what is found. {@code HtmlTokens}
 * holds the states of a text with tags; each other file reads one thing that a text has in it.
 * Nothing here knows of mail.
 */
@NullMarked
package io.bloomgate.blocklists.content.html;

import org.jspecify.annotations.NullMarked;
