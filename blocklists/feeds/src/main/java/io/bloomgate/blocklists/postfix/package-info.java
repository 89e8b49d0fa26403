/**
 * The syntax of Postfix's tables: lines and actions. Used by the feed parsers and by the import of
 * tables; pure.
 */
@NullMarked
package io.bloomgate.blocklists.postfix;

import org.jspecify.annotations.NullMarked;
