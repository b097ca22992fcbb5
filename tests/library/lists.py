"""What a Python module of lists.fut does with values of recursive types."""

import gc

import lists
from lists import Case

numbers = lists.build(10)
print(numbers, lists.total(numbers), lists.total(lists.rest(lists.push(7, numbers))))
print(numbers.case.name, numbers.case.values[0], lists.total(numbers.case.values[1]))
one = Case("cons", (5, Case("cons", (6, Case("nil", ())))))
both = lists.append(numbers, one)
del numbers, one
gc.collect()
print(lists.total(both))
found = []
while both.case.name == "cons":
    first, both = both.case.values
    found.append(first)
print(found)
print(lists.totals(lists.pushed(3, lists.many(4))).tolist(), lists.counted(both, 1)[1])
rose = lists.roses(2)
print(lists.leaves(rose), rose.case.values[0], lists.bytes(Case("leaf", (1.5, [1, 2]))).tolist())
steps = lists.add_step(3, lists.scale_step([2, 3], lists.no_steps()))
print(steps, lists.run(steps, 1))
for wrong in [
    lambda: steps.case,
    lambda: lists.total(steps),
    lambda: lists.checked(Case("cons", (-1, Case("nil", ())))),
    lambda: lists.total(Case("cons", (1,))),
]:
    try:
        wrong()
    except (lists.Failure, TypeError, AttributeError) as error:
        print(type(error).__name__, str(error).split("\n")[0])
