type answer = #yes | #no | #yes
